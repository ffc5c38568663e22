// The closed set of outcomes, each with its letter and its colour group.
#pragma once

#include <string>
#include <vector>

#include "harness/records/fields.h"

namespace mbsbench::reports {

struct Outcome {
  std::string name;
  std::string letter;  // never colour alone
  std::string group;   // "good", "doubtful", "failed", "stopped", "absent": one colour each
  std::string meaning;

  MBSBENCH_FIELDS(name, letter, group, meaning)
};

const std::vector<Outcome>& AllOutcomes();

// An outcome outside the set is shown as "?", never dropped.
const Outcome& FindOutcome(const std::string& name);

// How cells ended, by which they are counted in words.
enum class CellEnding { kOk, kInaccurate, kFailed, kRefused, kSkipped };
inline constexpr const char* kEndingNames[] = {"ok", "inaccurate or not judged", "failed",
                                               "refused", "skipped"};
inline const char* NameOf(CellEnding ending) { return kEndingNames[static_cast<int>(ending)]; }
CellEnding EndingOf(const std::string& outcome);

// Whether a cell with this outcome was run at all.
bool IsTried(const std::string& outcome);
// Whether it reached the end of its motion.
bool IsFinished(const std::string& outcome);

}  // namespace mbsbench::reports
