// Whether methods solve the problem: their accelerations, state by state, against those in 113 bits. Each is
// judged by itself; what the others give settles nothing where the truth is known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/runner/judged_evaluation.h"

namespace mbsbench {

// Relative difference above which two methods do not agree, where no truth is known. A conditioned solve with
// 1e-16 loses a few digits, a wrong term none of these.
inline constexpr double kAgreementLimit = 1e-6;

struct MethodAgreement {
  std::string method;
  // Median over the other methods of the largest difference over states, in units of the largest
  // acceleration of the state; empty where the method evaluated no state that another evaluated
  // too.
  std::optional<double> difference = {};
  // Largest AccelerationError against 113 bits over the states judged.
  std::optional<double> error = {};
  // Largest condition number, over the same states, of what the method solves; empty where it is
  // infinite or the method states none. `condition_of` says what is solved, or why there is none.
  std::optional<double> condition = {};
  std::string condition_of = "";
  int order = 0;            // rows of the largest matrix solved; 0: not stated
  std::string reason = "";  // of the first state that it could not evaluate
  // At the initial state; empty where its process broke off.
  std::optional<JudgedStart> start = {};
  // The worst verdict by the truth over all states: ok, ill_conditioned or wrong_equations with a sentence;
  // no_reference where no state has a truth that the method evaluates.
  Ending judged = {Outcome::kNoReference, ""};
};

struct Agreement {
  int states = 0;
  int judged_states = 0;  // random ones, or the initial one where there are none
  std::vector<MethodAgreement> methods;
};

// `trials` holds what AccelerationTrial gave for each method, `truth` what ReferenceAccelerationTrial
// gave.
Agreement Compare(const std::vector<std::string>& methods, const std::vector<TrialResult>& trials,
                  const TrialResult& truth = {});

}  // namespace mbsbench
