// Cost per body and per evaluation, and its error, against bodies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reports/analysis/scaling.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

Figure EvaluationFigure(const Comparison& comparison, const FamilyScaling& family) {
  std::vector<CurveOf<ScalingPoint>> curves;
  for (const ScalingCurve& curve : family.evaluations) {
    // the marker shows what was evaluated
    Json style = CurveStyle(comparison, curve.method, "", curve.name);
    style["symbol"] = curve.of == "accelerations" ? 0 : curve.of == "residual" ? 1 : 2;
    curves.push_back({std::move(style), curve.points});
  }
  return ChartOf<ScalingPoint>(
      {.title = "Cost of one evaluation per body: " + family.family,
       .summary =
           "CPU time of one evaluation divided by bodies, against bodies, both logarithmic. A "
           "horizontal line is linear cost; steps in it are the sizes of the caches. Evaluations "
           "without a right digit are left out.",
       .command = LatestCommand(comparison),
       .table = {"Nanoseconds per body and evaluation"}},
      {"bodies", "ns per body and evaluation"}, curves,
      [](const ScalingPoint& point) -> Json {
        const EvaluationRecord record = OrNone(point.trial->record.evaluation);
        return {
            point.bodies, *point.value,
            fmt::format(
                "{}: {} ns per body{}", point.problem->name, FormatDigits(*point.value, 3),
                record.threads
                    ? fmt::format(", {} by the clock on {} processors",
                                  FormatDigits(record.wall_nanoseconds_per_body.value_or(NAN), 3),
                                  *record.threads)
                    : "")};
      },
      {{{"family"}, &ScalingPoint::family},
       {{"problem"}, [](auto& p) { return ProblemCell(*p.problem); }},
       {{"method"}, &ScalingPoint::method},
       {{"what"}, &ScalingPoint::of},
       {CountColumn("bodies"), [](auto& p) { return p.bodies; }},
       {DigitsColumn("ns per body", 3, "nanoseconds_per_body"), [](auto& p) { return p.value; }},
       {FileColumn("wall_nanoseconds_per_body"),
        [](auto& p) { return OrNone(p.trial->record.evaluation).wall_nanoseconds_per_body; }},
       {FileColumn("evaluations"),
        [](auto& p) { return OrNone(p.trial->record.evaluation).evaluations; }},
       {FileColumn("command"), [](auto& p) { return p.trial->record.command; }}});
}

// The error of one evaluation against bodies; nothing if no error is known.
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

// The curve of a method's evaluations: accelerations, else residual and Jacobian.
const ScalingCurve* CurveIn(const FamilyScaling& family, const std::string& method) {
  const ScalingCurve* found = nullptr;
  for (const ScalingCurve& curve : family.evaluations) {
    if (curve.method != method || !curve.fit) continue;
    if (curve.of == "accelerations") return &curve;
    if (curve.of == "residual and Jacobian") found = &curve;
  }
  return found;
}

// Which methods stay linear, and on which families.
Table PowerTable(const Comparison& comparison, const std::vector<FamilyScaling>& families) {
  std::vector<const FamilyScaling*> fitted;
  for (const FamilyScaling& family : families) {
    if (std::any_of(
            comparison.methods.begin(), comparison.methods.end(),
            [&family](const std::string& method) { return CurveIn(family, method) != nullptr; }))
      fitted.push_back(&family);
  }
  Table table{"Time of one evaluation grows like bodies to the power of", {{"method"}}};
  for (const FamilyScaling* family : fitted) table.columns.push_back({family->family, true});
  for (const std::string& method : comparison.methods) {
    std::vector<TableCell> row = {MethodCell(comparison, method)};
    bool is_fitted = false;
    for (const FamilyScaling* family : fitted) {
      const ScalingCurve* curve = CurveIn(*family, method);
      const auto power = curve ? std::optional(1 + curve->fit->slope) : std::nullopt;
      is_fitted |= power.has_value();
      row.push_back(NumberCell(
          power ? fmt::format("{:.2f}\n{}–{}\nlast {:.2f}", *power,
                              FormatCount(std::llround(curve->fit->from)),
                              FormatCount(std::llround(curve->fit->to)), 1 + curve->fit->last)
                : "-",
          power));
    }
    if (is_fitted) table.rows.push_back(std::move(row));
  }
  return table;
}

void AddPowers(const Comparison& comparison, const std::vector<FamilyScaling>& families,
               Section& section, Document& document) {
  Table powers = PowerTable(comparison, families);
  if (powers.rows.empty()) return;
  section.blocks.push_back(
      Paragraph{fmt::format("A power of 1 is linear cost. Each field has the power, the bodies "
                            "from which to which it is fitted, and the local power between the two "
                            "largest sizes; evaluations without a right digit are left out, and "
                            "nothing is fitted over fewer than {} sizes or less than a factor of "
                            "{} in bodies.",
                            kFewestSizes, kLeastRange)});
  AddTable(std::move(powers), "scaling_powers.csv", section, document);
}

// Evaluations that did not end ok, which no figure draws: one line for all problems on which a method ended alike.
List FailedEvaluations(const Comparison& comparison) {
  Groups<std::string, std::string> endings;  // and problems
  for (const ProblemResults& problem : comparison.problems) {
    for (const Trial* trial : problem.evaluations) {
      if (trial->outcome == "ok") continue;
      AddOnce(GroupOf(fmt::format("{}: {}{}", Code(trial->method), trial->outcome,
                                  trial->reason.empty() ? "" : " - " + trial->reason),
                      endings),
              problem.name);
    }
  }
  List list;
  for (const auto& [ending, problems] : endings)
    list.items.push_back(fmt::format("{}, on {}", ending, fmt::join(problems, ", ")));
  return list;
}

}  // namespace

Section ScalingSection(const Comparison& comparison, Document& document) {
  Section section{"scaling", "Scaling", {}};
  const std::vector<FamilyScaling> families = Scaling(comparison);
  AddPowers(comparison, families, section, document);
  for (const FamilyScaling& family : families) {
    Section one{"scaling-" + family.stem, family.family};
    if (!family.evaluations.empty()) {
      Figure figure = EvaluationFigure(comparison, family);
      FileFigure("scaling_evaluation." + family.stem + ".csv", figure, document);
      one.blocks.push_back(std::move(figure));
    }
    AddEvaluationErrors(comparison, family, one, document);
    AddFolded(std::move(one), section);
  }
  AddFolded(LoopCostSection(comparison, document), section);
  if (section.sections.empty()) {
    section.blocks.push_back(
        Paragraph{"No family of problems was evaluated at two sizes, so growth is not known."});
  }
  AddFolded(OperationCountsSection(comparison, document), section);
  if (List failed = FailedEvaluations(comparison); !failed.items.empty())
    AddFolded({"scaling-failed", "Evaluations that did not end ok", {std::move(failed)}}, section);
  return section;
}

}  // namespace mbsbench::reports
