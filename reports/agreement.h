// What the comparison of accelerations before any timing says of the methods of one problem.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/results.h"

namespace mbsbench::reports {

// A larger difference is a disagreement, as the harness has it.
inline constexpr double kAgreed = 1e-6;

struct ComparedMethod {
  std::string method;
  std::optional<double> difference;  // from most others, over all states
  std::optional<double> error;  // against 113 bits, over the random states where there are some
  std::string wrong = {};       // why it solves other equations, by the truth; empty: it does not
};

struct MethodAgreement {
  std::vector<ComparedMethod> agreed;
  std::vector<ComparedMethod> apart;  // further from most others than kAgreed
  bool has_random_states = false;     // in addition to the initial one
};

// `agreement` is a trial of that kind.
MethodAgreement ReadAgreement(const Trial& agreement);

// The largest error against 113 bits of those that agree, where it settles who is wrong: it is below
// kAgreed, and the errors of those that stand apart are known, too.
std::optional<double> ErrorOfAgreed(const MethodAgreement& agreement);

}  // namespace mbsbench::reports
