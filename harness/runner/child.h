// The far end of a trial: a process that carries out one request and returns its record over a
// pipe.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/evaluation_trial.h"

namespace mbsbench {

// First argument of an executable that is to act as a child; the second is the request. No command
// of the user's.
inline constexpr std::string_view kChildCommand = "__trial";
// The descriptor on which a child's record is expected.
inline constexpr int kRecordDescriptor = 3;
// The end of a record that never came, where a child dies of a fault's signal that another process sent.
inline constexpr std::string_view kSentFromOutside = "\nsent from outside\n";

// What a child is asked for.
struct TrialRequest {
  Cell cell = {};
  // As in the store; "accelerations" for one method's part of an agreement check, "reference accelerations" for what all are
  // judged by there.
  std::string kind = {};
  Evaluated what = Evaluated::kAccelerations;  // 'evaluation'
  int random_states = 0;                       // "accelerations"
  std::uint64_t seed = 0;                      // "accelerations"
  int rounds = 1;                              // 'time'
  std::optional<StartRecord> start = {};       // 'accuracy': where it is known

  MBSBENCH_FIELDS(cell, kind, what, random_states, seed, rounds, start)
};

// Carries out what a child is to do and writes its result to kRecordDescriptor; an exception becomes
// an outcome. Returns the exit code.
int HandOver(const std::function<TrialResult()>& carry);

// Carries out the request and writes the result to kRecordDescriptor. Returns the exit code.
int RunChild(const std::string& request, const std::vector<MethodEntry>& methods);

}  // namespace mbsbench
