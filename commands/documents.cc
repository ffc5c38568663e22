#include "commands/commands.h"
#include "commands/text.h"
#include "harness/records/json_codec.h"
#include "harness/store/plugins_of_build.h"

namespace mbsbench {

Json SampleDocument(double time, const System& system, const std::vector<BodyState>& states,
                    const std::vector<int>* indices) {
  Json bodies = Json::array();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const BodyState& s = states[i];
    const std::size_t index = indices == nullptr ? i : static_cast<std::size_t>((*indices)[i]);
    bodies.push_back(
        {{"name", system.bodies[index].name},
         {"position", ToJson(s.position)},
         {"quaternion", {s.orientation.w, s.orientation.x, s.orientation.y, s.orientation.z}},
         {"velocity", ToJson(s.velocity)},
         {"angular_velocity", ToJson(s.angular_velocity)}});
  }
  // A steady state has no time.
  return {{"time", NumberOrNull(time)}, {"bodies", std::move(bodies)}};
}

std::string TextOf(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void PrintJson(const Json& document) { Print("{}\n", TextOf(document)); }

void WarnOfPlugins(const BuildRecord& build) { PrintWarnings(PluginWarnings(build), stderr); }

}  // namespace mbsbench
