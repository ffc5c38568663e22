#include "reports/analysis/stalled.h"

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

std::vector<std::string> StalledSentences(const Comparison& comparison) {
  std::vector<std::string> sentences;
  for (const ProblemResults& problem : comparison.problems) {
    for (const StalledCurve& one : StalledCurves(comparison, problem))
      sentences.push_back(one.Sentence(problem.name));
  }
  return sentences;
}

}  // namespace mbsbench::reports
