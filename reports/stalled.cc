#include "reports/stalled.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "reports/format.h"
#include "reports/targets.h"

namespace mbsbench::reports {

namespace {

constexpr double kSaturated = 0.1;  // of what is off by its own length nothing is said
constexpr double kLeastFloor = 1e-13, kRoundOffPerBody = 1e-15;

double RoundOffOf(const ProblemResults& problem) {
  return std::max({kLeastFloor, kRoundOffPerBody * Number(problem.document, "bodies").value_or(1),
                   FloorOf(problem)});
}

std::optional<StalledCurve> StalledTail(const Curve& curve, double floor) {
  std::vector<const Cell*> judged;
  for (const Cell* cell : curve.cells) {
    if (cell->finished() && cell->error) judged.push_back(cell);
  }
  if (judged.size() < 2) return std::nullopt;
  const Cell& finest = *judged.back();
  if (finest.accuracy != nullptr && finest.accuracy->record.condition) {
    if (const auto digits = finest.accuracy->record.condition->digits_left)
      floor = std::max(floor, std::pow(10, -*digits));
  }
  if (!(*finest.error > kAboveFloor * floor) || *finest.error > kSaturated) return std::nullopt;
  auto first = judged.end() - 1;
  const auto is_alike = [&finest](const Cell& cell) {
    return *cell.error < kAlikeErrors * *finest.error && *finest.error < kAlikeErrors * *cell.error;
  };
  while (first != judged.begin() && is_alike(**(first - 1))) --first;
  const bool by_steps = finest.step.has_value();
  const auto setting = [by_steps](const Cell& cell) {
    return (by_steps ? cell.step : cell.tolerance).value_or(0);
  };
  if (!(setting(**first) >= (by_steps ? kStepsAlike : kTolerancesAlike) * setting(finest)))
    return std::nullopt;
  return StalledCurve{.problem = finest.problem,
                      .method = curve.method,
                      .curve = curve.name,
                      .from = (*first)->Setting(),
                      .to = finest.Setting(),
                      .error = *finest.error,
                      .floor = floor};
}

}  // namespace

std::string StalledCurve::Sentence() const {
  return fmt::format(
      "{}: the error of {} no longer falls from {} to {}. It stays at {}, where round-off and the "
      "reference explain {}. The method solves another problem, or an iteration of its own stops "
      "early.",
      problem, curve, from, to, FormatError(error), FormatError(floor));
}

std::vector<StalledCurve> StalledCurves(const ProblemResults& problem) {
  std::vector<StalledCurve> stalled;
  for (const Curve& curve : Ladders(problem)) {
    if (auto one = StalledTail(curve, RoundOffOf(problem))) stalled.push_back(std::move(*one));
  }
  return stalled;
}

std::vector<StalledCurve> StalledCurves(const Comparison& comparison) {
  std::vector<StalledCurve> stalled;
  for (const ProblemResults& problem : comparison.problems) {
    for (StalledCurve& one : StalledCurves(problem)) stalled.push_back(std::move(one));
  }
  return stalled;
}

std::vector<std::string> StalledCurvesOf(const std::filesystem::path& store) {
  const Results results = ReadResults(store);
  std::vector<std::string> sentences;
  for (const StalledCurve& one : StalledCurves(Compare(results)))
    sentences.push_back(one.Sentence());
  return sentences;
}

}  // namespace mbsbench::reports
