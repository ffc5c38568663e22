#include "reports/analysis/digit_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "reports/analysis/claim_quantities.h"
#include "reports/analysis/names.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

MaybeNumber ErrorIn(const ScalingPoint& point) { return point.value; }
MaybeNumber ConditionIn(const ScalingPoint& point) { return point.accelerations.condition; }
MaybeNumber OrderIn(const ScalingPoint& point) { return point.accelerations.order; }

// Some reasons are sentences with a full stop of their own.
std::string WithoutFullStop(std::string reason) {
  if (!reason.empty() && reason.back() == '.') reason.pop_back();
  return reason;
}

}  // namespace

bool HasDigits(const ProblemResults& problem, const std::string& method) {
  return AgreementOf(problem, method).error.value_or(0) < kAllLost;
}

void AddEvaluationErrors(const Comparison& comparison, const FamilyScaling& family,
                         Section& section, Document& document) {
  Figure figure{
      .title = "Error of one evaluation against 113 bits: " + family.family,
      .summary =
          "The largest error of the accelerations at random states from committed seeds, against "
          "bodies, both logarithmic. The error is relative to the largest acceleration. Linear and "
          "angular accelerations are compared separately; the larger error counts. The reference "
          "formulation evaluates the same states in 113 bits. A slope of 1 loses one digit for ten "
          "times the bodies; an exponential law bends upwards. Errors above 1 are drawn at 1: no "
          "digit is left.",
      .command = LatestCommand(comparison),
      .table = {"Error of one evaluation"}};
  std::vector<CurveOf<ScalingPoint>> curves;
  bool any = false;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> absent;
  for (const ScalingCurve& curve : family.errors) {
    curves.push_back({CurveStyle(comparison, curve.method, "", curve.name), curve.points});
    for (const ScalingPoint& point : curve.points) {
      any = any || point.value;
      if (point.value.value_or(0) > 0) continue;
      absent[{curve.method, point.value ? "error 0" : WithoutFullStop(point.accelerations.reason)}]
          .push_back(point.problem->name);
    }
  }
  if (!any) return;
  for (const auto& [who, problems] : absent)
    figure.notes.push_back(fmt::format("Not drawn: {} on {}{}.", who.first,
                                       fmt::join(problems, ", "),
                                       who.second.empty() ? "" : ": " + who.second));
  // A logarithmic axis cannot show 0, and larger errors would flatten the figure.
  const auto at = [](const ScalingPoint& point) -> Json {
    constexpr double kNoDigitLeft = 1;
    if (point.value.value_or(0) <= 0) return nullptr;
    return {point.bodies, std::min(*point.value, kNoDigitLeft),
            fmt::format("{}: {}", point.problem->name, FormatError(point.value))};
  };
  figure = ChartOf<ScalingPoint>(
      std::move(figure), {"bodies", "error of one evaluation"}, curves, at,
      {{FileColumn("family"), &ScalingPoint::family},
       {{"problem"}, [](auto& p) { return p.problem->name; }},
       {{"method"}, &ScalingPoint::method},
       {CountColumn("bodies"), [](auto& p) { return p.bodies; }},
       {ErrorColumn("error", "error_against_113_bits"), ErrorIn},
       {FileColumn("condition_number"), ConditionIn},
       {FileColumn("condition_of"), [](auto& p) { return p.accelerations.condition_of; }},
       {FileColumn("largest_matrix_rows"), OrderIn},
       {{"remark", false, "reason"}, [](auto& p) { return p.accelerations.reason; }}});
  FileFigure("evaluation_error." + family.stem + ".csv", figure, document);
  section.blocks.push_back(std::move(figure));
}

}  // namespace mbsbench::reports
