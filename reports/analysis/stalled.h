// Curves of a comparison whose error stops falling, by harness/comparison/stalled_curves.h.
#pragma once

#include <string>
#include <vector>

#include "harness/comparison/stalled_curves.h"
#include "reports/analysis/cells.h"

namespace mbsbench::reports {

std::vector<StalledCurve> StalledCurves(const Comparison& comparison,
                                        const ProblemResults& problem);
struct StalledOnProblem {
  std::string problem;
  StalledCurve curve;
};
std::vector<StalledOnProblem> AllStalledCurves(const Comparison& comparison);

}  // namespace mbsbench::reports
