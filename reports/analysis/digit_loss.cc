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

// The growth of the values below `limit`; larger ones carry no information.
std::optional<Growth> GrowthBelow(const ScalingCurve& curve,
                                  MaybeNumber (*value_of)(const ScalingPoint&), double limit) {
  std::vector<double> bodies, values;
  for (const ScalingPoint& point : curve.points) {
    const MaybeNumber value = value_of(point);
    if (!value || !(*value < limit)) continue;
    bodies.push_back(point.bodies);
    values.push_back(*value);
  }
  return FitGrowth(bodies, values);
}

MaybeNumber ErrorIn(const ScalingPoint& point) { return point.value; }
MaybeNumber ConditionIn(const ScalingPoint& point) { return point.accelerations.condition; }
MaybeNumber OrderIn(const ScalingPoint& point) { return point.accelerations.order; }

std::optional<Growth> ConditionGrowth(const ScalingCurve& curve) {
  constexpr double kMeaningless = 1e16;  // 1 / round-off
  return GrowthBelow(curve, ConditionIn, kMeaningless);
}

// Some reasons are sentences with a full stop of their own.
std::string WithoutFullStop(std::string reason) {
  if (!reason.empty() && reason.back() == '.') reason.pop_back();
  return reason;
}

// "2.1e-12 at 10 ... 6.1e-7 at 20", the ends of a curve
std::string Ends(const ScalingCurve& curve, MaybeNumber (*value_of)(const ScalingPoint&)) {
  std::vector<std::string> known;
  for (const ScalingPoint& point : curve.points) {
    if (const MaybeNumber value = value_of(point))
      known.push_back(fmt::format("{} at {}", FormatError(value), CountCell(point.bodies).text));
  }
  return known.empty()       ? "-"
         : known.size() == 1 ? known[0]
                             : known.front() + " ... " + known.back();
}

std::string LostFrom(const ScalingCurve& curve) {
  for (const ScalingPoint& point : curve.points) {
    if (point.value && *point.value >= kAllLost) return CountCell(point.bodies).text + " bodies";
  }
  return "nowhere here";
}

// What is solved, as the last point with such a remark states it.
std::string ConditionOf(const ScalingCurve& curve) {
  std::string of = "not stated in this store";
  for (const ScalingPoint& point : curve.points) {
    if (!point.accelerations.condition_of.empty()) of = point.accelerations.condition_of;
  }
  return of;
}

Table GrowthTable(const FamilyScaling& family) {
  std::vector<ScalingCurve> known = family.errors;
  std::erase_if(known, [](const ScalingCurve& curve) {
    return !ErrorGrowth(curve) && !ConditionGrowth(curve);
  });
  return TableOf<ScalingCurve>(
      "Growth with bodies: " + family.family,
      {{{"method"}, &ScalingCurve::name},
       {{"error"}, [](auto& c) { return Ends(c, ErrorIn); }},
       {{"error grows like"}, [](auto& c) { return FormatGrowth(ErrorGrowth(c)); }},
       {{"all digits lost from"}, LostFrom},
       {{"condition number"}, [](auto& c) { return Ends(c, ConditionIn); }},
       {{"condition grows like"}, [](auto& c) { return FormatGrowth(ConditionGrowth(c)); }},
       {{"of"}, ConditionOf},
       {{"largest matrix"}, [](auto& c) { return Ends(c, OrderIn); }}},
      known);
}

}  // namespace

std::optional<Growth> FitGrowth(const std::vector<double>& bodies,
                                const std::vector<double>& values) {
  std::vector<double> n, log_n, log_value;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!(values[i] > 0) || !std::isfinite(values[i])) continue;
    n.push_back(bodies[i]);
    log_n.push_back(std::log(bodies[i]));
    log_value.push_back(std::log(values[i]));
  }
  constexpr std::size_t kFewest = 3;  // both laws fit two points
  if (n.size() < kFewest || n.front() == n.back()) return std::nullopt;
  const LineFit exponential = FitLine(n, log_value), power = FitLine(log_n, log_value);
  const int sizes = static_cast<int>(n.size());
  if (exponential.residual < power.residual && exponential.slope > 0)
    return Growth{true, std::exp(exponential.slope), sizes};
  return Growth{false, power.slope, sizes};
}

std::string FormatGrowth(const std::optional<Growth>& growth) {
  if (!growth) return "fewer than three sizes";
  constexpr double kShown = 0.01;  // from 1, with three digits
  const std::string law = !growth->is_exponential ? fmt::format("bodies^{:.2f}", growth->rate)
                          : std::abs(growth->rate - 1) < kShown
                              ? fmt::format("exp({:.2g} bodies)", std::log(growth->rate))
                              : fmt::format("{:.3g}^bodies", growth->rate);
  return fmt::format("{} ({} sizes)", law, growth->sizes);
}

bool HasDigits(const ProblemResults& problem, const std::string& method) {
  return AgreementOf(problem, method).error.value_or(0) < kAllLost;
}

std::optional<Growth> ErrorGrowth(const ScalingCurve& curve) {
  return GrowthBelow(curve, ErrorIn, kAllLost);
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
  AddTable(GrowthTable(family), "digit_growth." + family.stem + ".csv", section, document);
}

}  // namespace mbsbench::reports
