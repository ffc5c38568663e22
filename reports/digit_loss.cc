#include "reports/digit_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

struct LineFit {
  double slope = 0, residual = 0;
};
LineFit FitLine(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / n, mean_y += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  LineFit fit{xy / xx, 0};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double r = y[i] - mean_y - fit.slope * (x[i] - mean_x);
    fit.residual += r * r;
  }
  return fit;
}

std::optional<Growth> ConditionGrowth(const EvaluationErrorCurve& curve) {
  // Above 1 / round-off an estimate says only that it is large.
  constexpr double kMeaningless = 1e16;
  std::vector<double> bodies, values;
  for (const EvaluationErrorPoint& point : curve.points) {
    if (!point.condition || !(*point.condition < kMeaningless)) continue;
    bodies.push_back(point.bodies);
    values.push_back(*point.condition);
  }
  return FitGrowth(bodies, values);
}

constexpr double kNoDigitLeft = 1;  // larger errors say no more, and would flatten the figure

// Which of the two is drawn.
struct Drawn {
  const char *title, *caption, *y, *column, *summary;
  std::optional<double> EvaluationErrorPoint::*value;
  std::string EvaluationErrorPoint::*remark;
  double most;  // what is larger is drawn as this
};
constexpr Drawn kError{
    "Error of one evaluation against 113 bits",
    "Error of one evaluation",
    "error of one evaluation",
    "error",
    "Largest error of the accelerations at random states from committed seeds, in units of the "
    "largest acceleration (linear and angular apart, the larger counts), against bodies, both "
    "logarithmic. The reference formulation evaluates the same states in 113 bits. A slope of 1 "
    "loses one digit for ten times the bodies; an exponential law bends upwards. Errors above 1 "
    "are drawn at 1: no digit is left.",
    &EvaluationErrorPoint::error,
    &EvaluationErrorPoint::reason,
    kNoDigitLeft};
constexpr Drawn kCondition{
    "Condition number of what is solved",
    "Condition number of what is solved",
    "condition number",
    "condition number",
    "Condition number of what a method solves, the largest over the same random states, against "
    "bodies, both logarithmic. A straight line is a power of the bodies; an exponential law bends "
    "upwards.",
    &EvaluationErrorPoint::condition,
    &EvaluationErrorPoint::condition_of,
    INFINITY};

// Some reasons are sentences, which end by themselves.
std::string WithoutFullStop(std::string reason) {
  if (!reason.empty() && reason.back() == '.') reason.pop_back();
  return reason;
}

// Empty where no method has a value.
std::optional<Figure> FigureOf(const Comparison& comparison, const FamilyScaling& family,
                               const Drawn& drawn, const std::string& csv) {
  Figure figure;
  figure.kind = "scaling";
  figure.title = fmt::format("{}: {}", drawn.title, family.family);
  figure.summary = drawn.summary;
  figure.command = LatestCommand(comparison);
  figure.table = {drawn.caption,
                  {{"problem"}, {"method"}, {"bodies", true}, {drawn.column, true}, {"remark"}}};
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> absent;
  bool any = false;
  Json series = Json::array();
  for (const EvaluationErrorCurve& curve : family.errors) {
    Json one = CurveStyle(comparison, curve.method, "");
    one["name"] = curve.name;
    one["points"] = Json::array();
    for (const EvaluationErrorPoint& point : curve.points) {
      const auto value = point.*drawn.value;
      const std::string& remark = point.*drawn.remark;
      any = any || value;
      // A logarithmic axis has no place for 0.
      if (value && *value > 0) {
        one["points"].push_back({point.bodies, std::min(*value, drawn.most),
                                 fmt::format("{}: {}", point.problem->name, FormatError(value))});
      } else {
        absent[{curve.method, value ? "error 0" : WithoutFullStop(remark)}].push_back(
            point.problem->name);
      }
      figure.table.rows.push_back({{point.problem->name},
                                   {curve.method},
                                   CountCell(point.bodies),
                                   ErrorCell(value),
                                   {remark}});
    }
    if (!one["points"].empty()) series.push_back(std::move(one));
  }
  if (!any) return std::nullopt;
  for (const auto& [who, problems] : absent)
    figure.notes.push_back(fmt::format("Not drawn: {} on {}{}.", who.first,
                                       fmt::join(problems, ", "),
                                       who.second.empty() ? "" : ": " + who.second));
  figure.data = {{"series", series}, {"x", "bodies"}, {"y", drawn.y}, {"unit", ""}};
  figure.csv = csv;
  return figure;
}

CsvFile PointsFile(const FamilyScaling& family) {
  CsvFile file{"evaluation_error." + family.stem + ".csv",
               {"family", "problem", "method", "bodies", "error_against_113_bits",
                "condition_number", "condition_of", "largest_matrix_rows", "reason"}};
  for (const EvaluationErrorCurve& curve : family.errors) {
    for (const EvaluationErrorPoint& point : curve.points) {
      file.rows.push_back({family.family, point.problem->name, curve.method, point.bodies,
                           OptionalNumber(point.error), OptionalNumber(point.condition),
                           point.condition_of, OptionalNumber(point.order), point.reason});
    }
  }
  return file;
}

// "2.1e-12 at 10 ... 6.1e-7 at 20", the ends of a curve
std::string Ends(const EvaluationErrorCurve& curve,
                 std::optional<double> EvaluationErrorPoint::*value) {
  const EvaluationErrorPoint *first = nullptr, *last = nullptr;
  for (const EvaluationErrorPoint& point : curve.points) {
    if (!(point.*value)) continue;
    if (!first) first = &point;
    last = &point;
  }
  if (!first) return "-";
  const auto at = [value](const EvaluationErrorPoint& point) {
    return fmt::format("{} at {}", FormatError(point.*value),
                       FormatCount(static_cast<long long>(point.bodies)));
  };
  return first == last ? at(*first) : at(*first) + " ... " + at(*last);
}

std::string LostFrom(const EvaluationErrorCurve& curve) {
  for (const EvaluationErrorPoint& point : curve.points) {
    if (point.error && *point.error >= kAllLost)
      return FormatCount(static_cast<long long>(point.bodies)) + " bodies";
  }
  return "nowhere here";
}

Table GrowthTable(const FamilyScaling& family) {
  Table table{"Growth with bodies: " + family.family,
              {{"method"},
               {"error"},
               {"error grows like"},
               {"all digits lost from"},
               {"condition number"},
               {"condition grows like"},
               {"of"},
               {"largest matrix"}}};
  for (const EvaluationErrorCurve& curve : family.errors) {
    if (!ErrorGrowth(curve) && !ConditionGrowth(curve)) continue;
    const EvaluationErrorPoint* known = nullptr;  // which states what it solves
    for (const EvaluationErrorPoint& point : curve.points) {
      if (!point.condition_of.empty()) known = &point;
    }
    table.rows.push_back({{curve.name},
                          {Ends(curve, &EvaluationErrorPoint::error)},
                          {FormatGrowth(ErrorGrowth(curve))},
                          {LostFrom(curve)},
                          {Ends(curve, &EvaluationErrorPoint::condition)},
                          {FormatGrowth(ConditionGrowth(curve))},
                          {known ? known->condition_of : "not stated in this store"},
                          {Ends(curve, &EvaluationErrorPoint::order)}});
  }
  return table;
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
  constexpr std::size_t kFewest = 3;  // through two points goes either law
  if (n.size() < kFewest || n.front() == n.back()) return std::nullopt;
  const LineFit exponential = FitLine(n, log_value), power = FitLine(log_n, log_value);
  const int sizes = static_cast<int>(n.size());
  if (exponential.residual < power.residual && exponential.slope > 0)
    return Growth{true, std::exp(exponential.slope), sizes};
  return Growth{false, power.slope, sizes};
}

std::string FormatGrowth(const std::optional<Growth>& growth) {
  if (!growth) return "fewer than three sizes";
  const std::string law = growth->is_exponential ? fmt::format("{:.3g}^bodies", growth->rate)
                                                 : fmt::format("bodies^{:.2f}", growth->rate);
  return fmt::format("{} ({} sizes)", law, growth->sizes);
}

std::optional<Growth> ErrorGrowth(const EvaluationErrorCurve& curve) {
  std::vector<double> bodies, values;
  for (const EvaluationErrorPoint& point : curve.points) {
    if (!point.error || *point.error >= kAllLost) continue;
    bodies.push_back(point.bodies);
    values.push_back(*point.error);
  }
  return FitGrowth(bodies, values);
}

void AddEvaluationErrors(const Comparison& comparison, const FamilyScaling& family,
                         Section& section, Document& document) {
  auto errors = FigureOf(comparison, family, kError, "");
  if (!errors) return;
  errors->csv = AddFile(document, PointsFile(family));
  auto conditions = FigureOf(comparison, family, kCondition, errors->csv);
  section.blocks.push_back(std::move(*errors));
  if (conditions) section.blocks.push_back(std::move(*conditions));
  Table growth = GrowthTable(family);
  if (growth.rows.empty()) return;
  AddTable(std::move(growth), "digit_growth." + family.stem + ".csv", section, document);
}

}  // namespace mbsbench::reports
