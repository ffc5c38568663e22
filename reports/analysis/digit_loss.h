// The law by which digits are lost along chains.
#pragma once

#include <optional>
#include <vector>

#include "reports/analysis/scaling.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

// How a quantity grows with the number n of bodies, by least squares on its logarithm: like rate^n or like n^rate, the
// one with the smaller residual. Empty with fewer than three sizes.
struct Growth {
  bool is_exponential = false;
  double rate = 0;
  int sizes = 0;
};
std::optional<Growth> FitGrowth(const std::vector<double>& bodies,
                                const std::vector<double>& values);

// "3.6^bodies (5 sizes)", "exp(2.1e-4 bodies) (5 sizes)", "bodies^1.1 (6 sizes)"
std::string FormatGrowth(const std::optional<Growth>& growth);

// From this error on all digits are lost.
inline constexpr double kAllLost = 0.1;
// Whether an evaluation of a method on a problem has a right digit, as far as it was compared with 113 bits.
bool HasDigits(const ProblemResults& problem, const std::string& method);

// The fit of the errors of a curve below kAllLost.
std::optional<Growth> ErrorGrowth(const ScalingCurve& curve);

// Adds the error of one evaluation against bodies, and the laws by which it and the condition number of what is solved grow.
// Adds nothing if no error is known.
void AddEvaluationErrors(const Comparison& comparison, const FamilyScaling& family,
                         Section& section, Document& document);

}  // namespace mbsbench::reports
