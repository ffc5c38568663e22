#include "reports/provenance.h"

#include "harness/records/json_codec.h"
#include "reports/noise.h"

namespace mbsbench::reports {

Json Provenance(const Comparison& comparison) {
  Json runs = Json::array();
  for (const Run* run : comparison.runs) {
    runs.push_back({{"id", run->id},
                    {"command", run->command},
                    {"seed", run->seed},
                    {"started", run->started},
                    {"finished", run->finished.empty() ? Json() : Json(run->finished)},
                    {"machine", Json(ToJson(run->machine))},
                    {"build", Json(ToJson(run->build))}});
  }
  const Noise noise = NoiseOf(comparison);
  return {{"runs", runs},
          {"noise",
           {{"cells_timed_in_several_rounds", noise.cells},
            {"of_these_scattered_by_more_than_10_percent", noise.scattered},
            {"of_these_with_control_kernel_moved_by_more_than_3_percent", noise.moved}}}};
}

}  // namespace mbsbench::reports
