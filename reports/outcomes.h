// The closed set of outcomes, with the letter and the group of colours that stand for each.
#pragma once

#include <string>
#include <vector>

namespace mbsbench::reports {

struct Outcome {
  std::string name;
  std::string letter;  // never colour alone
  std::string group;   // "good", "doubtful", "failed", "stopped", "absent": one colour each
  std::string meaning;
};

const std::vector<Outcome>& AllOutcomes();

// Up to where a cell that finished is ok, in words: the rule of harness/runner/outcome.cc.
inline constexpr const char* kErrorLimit = "1e-3";

// An outcome that this program does not know is shown as "?", never dropped.
const Outcome& FindOutcome(const std::string& name);

// Whether a cell that ended so was run at all.
bool IsTried(const std::string& outcome);
// Whether it reached the end of its motion.
bool IsFinished(const std::string& outcome);

}  // namespace mbsbench::reports
