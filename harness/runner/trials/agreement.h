// Compares the accelerations of methods, state by state, with those in 113 bits. Each method is judged by itself; the other
// methods count only where no truth is known.
#pragma once

#include <string>
#include <vector>

#include "harness/runner/trials/judged_evaluation.h"

namespace mbsbench {

// Relative difference above which two methods do not agree, where no truth is known. An ill-conditioned solve loses a few of
// 16 digits; a wrong term causes a larger difference.
inline constexpr double kAgreementLimit = 1e-6;

// "at the initial state", which is number 0; "at random state 2"
std::string StateInWords(int state);

// `trials` holds the result of AccelerationTrial for each method, `truth` the result of ReferenceAccelerationTrial. The record
// lacks the worst method and the description of the truth.
AgreementRecord Compare(const std::vector<std::string>& methods,
                        const std::vector<TrialResult>& trials, const TrialResult& truth = {});

}  // namespace mbsbench
