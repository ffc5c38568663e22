// The process of a trial: it gets one request (run_child.h carries it out) and returns its record over a pipe.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "harness/runner/cells/trial.h"

namespace mbsbench {

// First argument of an executable that acts as a child; the second is the request. It is not a command for users.
inline constexpr std::string_view kChildCommand = "__trial";
// The descriptor to which a child writes its record.
inline constexpr int kRecordDescriptor = 3;

// The request to a child.
struct TrialRequest {
  Cell cell = {};
  // As in the store; also "accelerations" for one method in an agreement check and "reference accelerations" for the truth of
  // that check.
  std::string kind = {};
  Evaluated what = Evaluated::kAccelerations;  // 'evaluation'
  int random_states = 0;                       // "accelerations"
  std::uint64_t seed = 0;                      // "accelerations"
  std::optional<StartRecord> start = {};       // 'accuracy', if it is known

  MBSBENCH_FIELDS(cell, kind, what, random_states, seed, start)
};

// Calls `carry` and writes its result to kRecordDescriptor; an exception becomes an outcome. Returns the exit code.
int SendResult(const std::function<TrialResult()>& carry);

}  // namespace mbsbench
