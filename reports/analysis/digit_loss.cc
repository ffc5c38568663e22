#include "reports/analysis/digit_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "reports/analysis/names.h"
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

constexpr double kNoDigitLeft =
    1;  // larger errors are drawn here, since they would flatten the figure

// Some reasons are sentences with a full stop of their own.
std::string WithoutFullStop(std::string reason) {
  if (!reason.empty() && reason.back() == '.') reason.pop_back();
  return reason;
}

// Empty where no method has a value.
std::optional<Figure> ChartOfLoss(Figure figure, const Comparison& comparison,
                                  const FamilyScaling& family, const std::string& y, double most,
                                  MaybeNumber (*value_of)(const ScalingPoint&),
                                  std::string MethodAgreementRecord::*remark,
                                  const std::vector<ColumnOf<ScalingPoint>>& columns) {
  std::vector<CurveOf<ScalingPoint>> curves;
  bool any = false;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> absent;
  for (const ScalingCurve& curve : family.errors) {
    curves.push_back({CurveStyle(comparison, curve.method, "", curve.name), curve.points});
    for (const ScalingPoint& point : curve.points) {
      const MaybeNumber value = value_of(point);
      any = any || value;
      if (value.value_or(0) > 0) continue;
      absent[{curve.method, value ? "error 0" : WithoutFullStop(point.accelerations.*remark)}]
          .push_back(point.problem->name);
    }
  }
  if (!any) return std::nullopt;
  figure.command = LatestCommand(comparison);
  for (const auto& [who, problems] : absent)
    figure.notes.push_back(fmt::format("Not drawn: {} on {}{}.", who.first,
                                       fmt::join(problems, ", "),
                                       who.second.empty() ? "" : ": " + who.second));
  // A logarithmic axis cannot show 0.
  const auto at = [&](const ScalingPoint& point) -> Json {
    const MaybeNumber value = value_of(point);
    if (value.value_or(0) <= 0) return nullptr;
    return {point.bodies, std::min(*value, most),
            fmt::format("{}: {}", point.problem->name, FormatError(value))};
  };
  return ChartOf(std::move(figure), {"bodies", y}, curves, at, columns);
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

std::optional<Growth> ErrorGrowth(const ScalingCurve& curve) {
  return GrowthBelow(curve, ErrorIn, kAllLost);
}

void AddEvaluationErrors(const Comparison& comparison, const FamilyScaling& family,
                         Section& section, Document& document) {
  using Point = ScalingPoint;
  using Columns = std::vector<ColumnOf<Point>>;
  const auto remark = [](std::string MethodAgreementRecord::*what) {
    return [what](const Point& point) { return point.accelerations.*what; };
  };
  const Columns who = {{{"problem"}, [](auto& p) { return p.problem->name; }},
                       {{"method"}, &Point::method},
                       {CountColumn("bodies"), [](auto& p) { return p.bodies; }}};
  Columns errors = who, conditions = who;
  errors.insert(errors.begin(), {FileColumn("family"), &Point::family});
  errors.insert(errors.end(),
                {{ErrorColumn("error", "error_against_113_bits"), [](auto& p) { return p.value; }},
                 {FileColumn("condition_number"), ConditionIn},
                 {FileColumn("condition_of"), remark(&MethodAgreementRecord::condition_of)},
                 {FileColumn("largest_matrix_rows"), OrderIn},
                 {{"remark", false, "reason"}, remark(&MethodAgreementRecord::reason)}});
  conditions.insert(conditions.end(),
                    {{ErrorColumn("condition number"), [](auto& p) { return ConditionIn(p); }},
                     {{"remark"}, remark(&MethodAgreementRecord::condition_of)}});
  auto error = ChartOfLoss(
      {.title = "Error of one evaluation against 113 bits: " + family.family,
       .summary =
           "The largest error of the accelerations at random states from committed seeds, against "
           "bodies, both logarithmic. The error is relative to the largest acceleration. Linear "
           "and "
           "angular accelerations are compared separately; the larger error counts. The reference "
           "formulation evaluates the same states in 113 bits. A slope of 1 loses one digit for "
           "ten times the bodies; an exponential law bends upwards. Errors above 1 are drawn at 1: "
           "no digit is left.",
       .table = {"Error of one evaluation"}},
      comparison, family, "error of one evaluation", kNoDigitLeft, ErrorIn,
      &MethodAgreementRecord::reason, errors);
  if (!error) return;
  FileFigure("evaluation_error." + family.stem + ".csv", *error, document);
  auto condition = ChartOfLoss(
      {.title = "Condition number of what is solved: " + family.family,
       .summary = "Condition number of what a method solves, the largest over the same random "
                  "states, against bodies, both logarithmic. A straight line is a power of the "
                  "bodies; an exponential law bends upwards.",
       .table = {"Condition number of what is solved"},
       .csv = error->csv},
      comparison, family, "condition number", INFINITY, ConditionIn,
      &MethodAgreementRecord::condition_of, conditions);
  section.blocks.push_back(std::move(*error));
  AddIfAny(std::move(condition), section);
  AddTable(GrowthTable(family), "digit_growth." + family.stem + ".csv", section, document);
}

}  // namespace mbsbench::reports
