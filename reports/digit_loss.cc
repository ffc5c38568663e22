#include "reports/digit_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kFamilies[] = {"chainN", "chainN3d"};
constexpr const char* kMethods[] = {"classical-mstmm", "riccati-mstmm", "articulated-body"};

bool HasErrors(const EvaluationErrorCurve& curve) {
  return std::find(std::begin(kMethods), std::end(kMethods), MethodKey(curve.method)) !=
         std::end(kMethods);
}

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

// Which of the two is drawn.
struct Drawn {
  const char* title;
  const char* y;
  std::optional<double> EvaluationErrorPoint::*value;
};
constexpr Drawn kError{"Error of one evaluation", "error of one evaluation",
                       &EvaluationErrorPoint::error};
constexpr Drawn kCondition{"Condition number of what is solved", "condition number",
                           &EvaluationErrorPoint::condition};

Figure FigureOf(const Comparison& comparison, const FamilyScaling& family, const Drawn& drawn,
                const std::string& csv) {
  Figure figure;
  figure.kind = "scaling";
  figure.title = fmt::format("{} against bodies: {}", drawn.title, family.family);
  figure.summary = fmt::format(
      "{} at random states from committed seeds, the largest of them, against bodies, both "
      "logarithmic. A straight line is a power of the bodies; an exponential law bends upwards.",
      drawn.title);
  figure.command = LatestCommand(comparison);
  figure.table = {drawn.title,
                  {{"problem"}, {"method"}, {"bodies", true}, {drawn.y, true}, {"remark"}},
                  {},
                  ""};
  Json series = Json::array();
  for (const EvaluationErrorCurve& curve : family.errors) {
    if (!HasErrors(curve)) continue;
    Json one = CurveStyle(comparison, curve.method, "");
    one["name"] = curve.name;
    one["points"] = Json::array();
    for (const EvaluationErrorPoint& point : curve.points) {
      const auto value = point.*drawn.value;
      const std::string& remark = &drawn == &kCondition ? point.condition_of : point.reason;
      if (value && *value > 0) {
        one["points"].push_back(
            {point.bodies, *value, fmt::format("{}: {}", point.problem->name, FormatError(value))});
      }
      figure.table.rows.push_back(
          {{point.problem->name},
           {curve.method},
           NumberCell(FormatCount(static_cast<long long>(point.bodies)), point.bodies),
           NumberCell(FormatError(value), value),
           {remark}});
    }
    if (!one["points"].empty()) series.push_back(std::move(one));
  }
  figure.data = {{"series", series}, {"x", "bodies"}, {"y", drawn.y}, {"unit", ""}};
  figure.csv = csv;
  return figure;
}

std::string AddPoints(const FamilyScaling& family, Document& document) {
  CsvFile file{"digit_loss." + family.stem + ".csv",
               {"family", "problem", "method", "bodies", "error_against_113_bits",
                "condition_number", "condition_of", "largest_matrix_rows", "reason"},
               {}};
  for (const EvaluationErrorCurve& curve : family.errors) {
    if (!HasErrors(curve)) continue;
    for (const EvaluationErrorPoint& point : curve.points) {
      file.rows.push_back({family.family, point.problem->name, curve.method, point.bodies,
                           OptionalNumber(point.error), OptionalNumber(point.condition),
                           point.condition_of, OptionalNumber(point.order), point.reason});
    }
  }
  return AddFile(document, std::move(file));
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

std::string PapersWord(const std::string& method) {
  const std::string key = MethodKey(method);
  if (key == "classical-mstmm") return "truncation errors accumulate in the products, to failure";
  if (key == "riccati-mstmm") return "truncation errors are reduced, stable";
  return "-";
}

Table GrowthTable(const FamilyScaling& family, Document& document) {
  Table table{"Growth with bodies: " + family.family,
              {{"method"},
               {"error"},
               {"error grows like"},
               {"all digits lost from"},
               {"condition number"},
               {"condition grows like"},
               {"of"},
               {"largest matrix"},
               {"paper"}},
              {},
              ""};
  for (const EvaluationErrorCurve& curve : family.errors) {
    if (!HasErrors(curve) || curve.points.empty()) continue;
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
                          {Ends(curve, &EvaluationErrorPoint::order)},
                          {PapersWord(curve.method)}});
  }
  table.csv = AddFile(document, AsCsv("digit_growth." + family.stem + ".csv", table));
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

Section DigitLossSection(const Comparison& comparison, const std::vector<FamilyScaling>& families,
                         Document& document) {
  Section section{"digit-loss", "Law of digit loss", {}};
  for (const FamilyScaling& family : families) {
    if (std::find(std::begin(kFamilies), std::end(kFamilies), family.family) ==
            std::end(kFamilies) ||
        std::none_of(family.errors.begin(), family.errors.end(), HasErrors))
      continue;
    Section one{"digit-loss-" + family.stem, family.family, {}};
    const std::string csv = AddPoints(family, document);
    one.blocks.push_back(FigureOf(comparison, family, kError, csv));
    one.blocks.push_back(FigureOf(comparison, family, kCondition, csv));
    one.blocks.push_back(GrowthTable(family, document));
    section.sections.push_back(std::move(one));
  }
  if (section.sections.empty()) return section;
  section.blocks.push_back(Paragraph{
      "Rui, Bestle, Wang et al. 2020 (Sect. 1) say that truncation errors add up where transfer "
      "matrices of elements are multiplied along a chain, until the algorithm fails, and that the "
      "Riccati transformation reduces them. They print no number. Here stand, for one evaluation, "
      "its error against 113 bits and the condition number of what is solved, with the law that "
      "fits better: exponential or a power of the bodies. Errors from 0.1 on, where all digits are "
      "lost, take no part in a fit. In theory the products of variant `paper` lose a factor 2 + "
      "sqrt(3) = 3.73 per link of a straight uniform chain. The cost of the classical method "
      "grows with the cube of the bodies: the default run asks it for 1,000 bodies at most, where "
      "in "
      "space it may outrun its time limit."});
  return section;
}

}  // namespace mbsbench::reports
