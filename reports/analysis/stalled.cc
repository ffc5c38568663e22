#include "reports/analysis/stalled.h"

#include <utility>

#include "harness/records/number.h"
#include "harness/records/untried_limits.h"

namespace mbsbench::reports {

std::vector<StalledCurve> StalledCurves(const Comparison& comparison,
                                        const ProblemResults& problem) {
  std::vector<ErrorCurve> curves;
  for (const Curve& curve : Ladders(problem)) {
    if (!comparison.Keeps(kEquations, curve.method)) continue;
    ErrorCurve& judged = curves.emplace_back(ErrorCurve{curve.method, curve.name});
    for (const Cell* cell : curve.cells) {
      if (!cell->finished() || !cell->error) continue;
      const auto* const accuracy = cell->accuracy;
      judged.points.push_back(
          {cell->tolerance, cell->step, *cell->error,
           accuracy ? OrNone(accuracy->record.condition).digits_left : MaybeNumber()});
    }
  }
  return mbsbench::StalledCurves(curves, problem.record.bodies.value_or(1),
                                 problem.record.KnownError());
}

std::vector<StalledOnProblem> AllStalledCurves(const Comparison& comparison) {
  std::vector<StalledOnProblem> all;
  for (const ProblemResults& problem : comparison.problems) {
    for (StalledCurve& one : StalledCurves(comparison, problem))
      all.push_back({problem.name, std::move(one)});
  }
  return all;
}

}  // namespace mbsbench::reports
