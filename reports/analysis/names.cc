#include "reports/analysis/names.h"

#include <algorithm>

#include "reports/analysis/benches.h"
#include "reports/analysis/outcomes.h"

namespace mbsbench::reports {

TableCell ProblemCell(const ProblemResults& problem) {
  return {problem.name, nullptr, "", ProblemRoute(problem)};
}

TableCell MethodCell(const Comparison& comparison, const std::string& method) {
  return {method, nullptr, "", MethodRoute(comparison, method)};
}

TableCell OutcomeCell(const Cell& cell) {
  return {cell.outcome, nullptr, "outcome-" + FindOutcome(cell.outcome).group};
}

TableCell ErrorCell(const ProblemResults& problem, const Cell& cell) {
  const auto error = Resolved(problem, cell);
  return error ? NumberCell(error->Text(), cell.error) : TableCell("-");
}

std::string CommandOf(const ProblemResults& problem) {
  return problem.bench.run ? CommandOf(*problem.bench.run) : "";
}

Json CurveStyle(const Comparison& comparison, const std::string& method,
                const std::string& integrator, const std::string& name, bool second_ladder) {
  Json style = {{"method", method}, {"integrator", integrator}, {"name", name}};
  int variant = 0;  // of its family
  for (const std::string& other : comparison.methods) {
    if (other == method) break;
    variant += MethodKey(other) == MethodKey(method);
  }
  style["variant"] = variant;
  if (integrator.empty()) return style;
  const auto& all = comparison.integrators;
  const auto symbol = std::find(all.begin(), all.end(), integrator) - all.begin();
  style["symbol"] = second_ladder ? symbol + static_cast<long>(all.size()) : symbol;
  return style;
}

}  // namespace mbsbench::reports
