#include "reports/analysis/digit_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "reports/analysis/names.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

bool HasDigits(const ProblemResults& problem, const std::string& method) {
  return AgreementOf(problem, method).error.value_or(0) < kAllLost;
}

void AddEvaluationErrors(const Comparison& comparison, const FamilyScaling& family,
                         Section& section, Document& document) {
  Figure figure{
      .title = "Error of one evaluation against 113 bits: " + family.family,
      .summary =
          "The largest error of linear or angular accelerations at random states, over the largest "
          "acceleration, against bodies, both logarithmic. A slope of 1 loses one digit for ten "
          "times the bodies; an exponential law bends upwards. Errors above 1 are drawn at 1: no "
          "digit is left. The table has the reason where there is no error.",
      .command = LatestCommand(comparison),
      .table = {"Error of one evaluation"}};
  std::vector<CurveOf<ScalingPoint>> curves;
  bool any = false;
  for (const ScalingCurve& curve : family.errors) {
    curves.push_back({CurveStyle(comparison, curve.method, "", curve.name), curve.points});
    for (const ScalingPoint& point : curve.points) any = any || point.value;
  }
  if (!any) return;
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
       {ErrorColumn("error", "error_against_113_bits"), &ScalingPoint::value},
       {FileColumn("condition_number"), [](auto& p) { return p.accelerations.condition; }},
       {FileColumn("condition_of"), [](auto& p) { return p.accelerations.condition_of; }},
       {FileColumn("largest_matrix_rows"), [](auto& p) { return p.accelerations.order; }},
       {{"remark", false, "reason"}, [](auto& p) { return p.accelerations.reason; }}});
  FileFigure("evaluation_error." + family.stem + ".csv", figure, document);
  section.blocks.push_back(std::move(figure));
}

}  // namespace mbsbench::reports
