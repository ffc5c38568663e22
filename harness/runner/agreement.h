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

// `trials` holds what AccelerationTrial gave for each method, `truth` what ReferenceAccelerationTrial
// gave. Without the worst method and a word on the truth.
AgreementRecord Compare(const std::vector<std::string>& methods,
                        const std::vector<TrialResult>& trials, const TrialResult& truth = {});

}  // namespace mbsbench
