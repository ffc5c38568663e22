// The times of the trials of the default comparison on a machine with two cores. The forecast of a run starts from them.
// tests/harness/runner/durations/table.sh makes durations.tsv.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mbsbench {

struct RecordedDuration {
  double seconds = 0;    // of the trial's processes
  bool finished = true;  // an accuracy trial reached its end, so its cell was timed
};

class Durations {
 public:
  // One line per trial after a first one that names the columns: kind, problem, method, integrator (of an evaluation
  // what was evaluated), digits, seconds, finished (0 or 1), separated by tabs.
  explicit Durations(std::string_view table);

  // `digits`: as of TrialShape. Timed rounds are not recorded: they follow from the accuracy trials.
  std::optional<RecordedDuration> Find(std::string_view kind, const std::string& problem,
                                       const std::string& method, const std::string& integrator,
                                       double digits) const;

 private:
  std::unordered_map<std::string, RecordedDuration> by_trial_;
};

// The durations embedded in the program.
const Durations& RecordedDurations();

}  // namespace mbsbench
