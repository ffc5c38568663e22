// The law by which digits are lost along chains.
#pragma once

#include <optional>
#include <vector>

#include "reports/document.h"
#include "reports/scaling.h"

namespace mbsbench::reports {

// How a quantity grows with bodies n, by least squares on its logarithm: like rate^n, or like n^rate,
// whichever leaves less. Empty with fewer than three sizes.
struct Growth {
  bool is_exponential = false;
  double rate = 0;
  int sizes = 0;
};
std::optional<Growth> FitGrowth(const std::vector<double>& bodies,
                                const std::vector<double>& values);

// "3.6^bodies (5 sizes)", "bodies^1.1 (6 sizes)"
std::string FormatGrowth(const std::optional<Growth>& growth);

// From this error on nothing is left to be lost.
inline constexpr double kAllLost = 0.1;

// Of a curve's points: the fit of errors that are not all lost.
std::optional<Growth> ErrorGrowth(const ScalingCurve& curve);

// Error of one evaluation and condition of what is solved against bodies, and the law by which each grows: the
// better of an exponential and a power. Adds nothing where no error is known.
void AddEvaluationErrors(const Comparison& comparison, const FamilyScaling& family,
                         Section& section, Document& document);

}  // namespace mbsbench::reports
