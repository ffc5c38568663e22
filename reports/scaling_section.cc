// Cost per body and per evaluation, its error, and cost per step, against bodies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "reports/digit_loss.h"
#include "reports/format.h"
#include "reports/scaling.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

Figure EvaluationFigure(const Comparison& comparison, const FamilyScaling& family,
                        Document& document) {
  Figure figure;
  figure.kind = "scaling";
  figure.title = "Cost of one evaluation per body: " + family.family;
  figure.summary =
      "CPU time of one evaluation divided by bodies, against bodies, both logarithmic. A "
      "horizontal line is linear cost; steps in it are the sizes of the caches.";
  figure.command = LatestCommand(comparison);
  figure.table = {"Nanoseconds per body and evaluation",
                  {{"problem"}, {"method"}, {"what"}, {"bodies", true}, {"ns per body", true}}};
  CsvFile file{"scaling_evaluation." + family.stem + ".csv",
               {"family", "problem", "method", "what", "bodies", "nanoseconds_per_body",
                "evaluations", "command"}};
  Json series = Json::array();
  for (const EvaluationCurve& curve : family.evaluations) {
    // here the marker shows what was evaluated
    Json one = CurveStyle(comparison, curve.method, "");
    one["symbol"] = curve.what == "accelerations" ? 0 : curve.what == "residual" ? 1 : 2;
    one["name"] = curve.name;
    one["points"] = Json::array();
    for (const EvaluationPoint& point : curve.points) {
      const std::string cost = FormatDigits(point.nanoseconds_per_body, 3);
      one["points"].push_back({point.bodies, point.nanoseconds_per_body,
                               fmt::format("{}: {} ns per body", point.problem->name, cost)});
      figure.table.rows.push_back({{point.problem->name},
                                   {curve.method},
                                   {curve.what},
                                   CountCell(point.bodies),
                                   NumberCell(cost, point.nanoseconds_per_body)});
      file.rows.push_back({family.family, point.problem->name, curve.method, curve.what,
                           point.bodies, point.nanoseconds_per_body,
                           CountOrNull(OrNone(point.trial->record.evaluation).evaluations),
                           point.trial->record.command});
    }
    series.push_back(std::move(one));
  }
  figure.data = {
      {"series", series}, {"x", "bodies"}, {"y", "ns per body and evaluation"}, {"unit", "ns"}};
  figure.csv = AddFile(document, std::move(file));
  return figure;
}

bool HasErrors(const FamilyScaling& family) {
  for (const EvaluationErrorCurve& curve : family.errors) {
    for (const EvaluationErrorPoint& point : curve.points) {
      if (point.error) return true;
    }
  }
  return false;
}

// Of one integrator: a step of one is not a step of another.
Figure StepFigure(const Comparison& comparison, const FamilyScaling& family,
                  const std::string& integrator, CsvFile& file) {
  Figure figure;
  figure.kind = "scaling";
  figure.title = fmt::format("Integration time per step with {}: {}", integrator, family.family);
  figure.summary =
      "CPU time of an integration (minimum over rounds) divided by its steps, against bodies, both "
      "logarithmic. Runs of different sizes have different end times and steps, so their times are "
      "compared per step. Slope 1 is linear cost.";
  figure.command = LatestCommand(comparison);
  figure.table = {"Integration time by size",
                  {{"problem"},
                   {"method"},
                   {"integrator"},
                   {"setting"},
                   {"bodies", true},
                   {"end time", true},
                   {"steps", true},
                   {"CPU time", true},
                   {"per step", true}}};
  Json series = Json::array();
  for (const StepCostCurve& curve : family.steps) {
    if (curve.integrator != integrator) continue;
    Json one = CurveStyle(comparison, curve.method, "");  // all have the same integrator
    one["name"] = curve.name;
    one["points"] = Json::array();
    for (const StepCostPoint& point : curve.points) {
      const Cell& cell = *point.cell;
      const MaybeNumber steps = cell.counters.steps;
      one["points"].push_back({point.bodies, point.seconds_per_step,
                               fmt::format("{}, {}: {} per step", point.problem->name,
                                           cell.Setting(), FormatSeconds(point.seconds_per_step))});
      figure.table.rows.push_back({{point.problem->name},
                                   {cell.method},
                                   {cell.integrator},
                                   {cell.Setting()},
                                   CountCell(point.bodies),
                                   DigitsCell(cell.end_time, 4, " s"),
                                   CountCell(steps),
                                   SecondsCell(cell.cpu->minimum),
                                   SecondsCell(point.seconds_per_step)});
      file.rows.push_back({family.family, point.problem->name, cell.method, cell.integrator,
                           OptionalNumber(cell.tolerance), OptionalNumber(cell.step), point.bodies,
                           OptionalNumber(cell.end_time), OptionalNumber(steps), cell.cpu->minimum,
                           point.seconds_per_step, cell.command});
    }
    series.push_back(std::move(one));
  }
  figure.data = {{"series", series}, {"x", "bodies"}, {"y", "CPU time per step"}, {"unit", "s"}};
  return figure;
}

void AddStepFigures(const Comparison& comparison, const FamilyScaling& family, Section& section,
                    Document& document) {
  CsvFile file{"scaling_integration." + family.stem + ".csv",
               {"family", "problem", "method", "integrator", "tolerance", "step_s", "bodies",
                "end_time_s", "steps", "cpu_minimum_s", "cpu_s_per_step", "command"}};
  std::vector<Figure> figures;
  for (const std::string& integrator : comparison.integrators) {
    if (std::any_of(family.steps.begin(), family.steps.end(),
                    [&](const StepCostCurve& curve) { return curve.integrator == integrator; }))
      figures.push_back(StepFigure(comparison, family, integrator, file));
  }
  const std::string csv = AddFile(document, std::move(file));
  for (Figure& figure : figures) {
    figure.csv = csv;
    section.blocks.push_back(std::move(figure));
  }
}

Table SlopeTable(const FamilyScaling& family) {
  Table table{"Fitted slopes of " + family.family +
                  " (logarithms of cost or error over that of bodies, least squares)",
              {{"method"},
               {"of"},
               {"slope", true},
               {"standard error", true},
               {"last local slope", true},
               {"sizes", true},
               {"from bodies", true},
               {"to bodies", true}}};
  const auto add = [&table](const auto& curve, const std::string& of) {
    if (!curve.fit) return;
    const auto& fit = *curve.fit;
    table.rows.push_back(
        {{curve.method},
         {of},
         NumberCell(fmt::format("{:.2f}", fit.slope), fit.slope),
         NumberCell(fmt::format("{:.2f}", *fit.standard_error), fit.standard_error),
         NumberCell(fmt::format("{:.2f}", fit.last), fit.last),
         CountCell(fit.points),
         NumberCell(FormatCount(std::llround(fit.from)), fit.from),
         NumberCell(FormatCount(std::llround(fit.to)), fit.to)});
  };
  for (const StepCostCurve& curve : family.steps) add(curve, "time per step, " + curve.integrator);
  for (const EvaluationCurve& curve : family.evaluations)
    add(curve, "time per body and evaluation, " + curve.what);
  for (const EvaluationErrorCurve& curve : family.errors) add(curve, "error of one evaluation");
  return table;
}

// The curve of a method's evaluations: accelerations, else what an implicit integrator asks for.
const EvaluationCurve* CurveOf(const FamilyScaling& family, const std::string& method) {
  const EvaluationCurve* found = nullptr;
  for (const EvaluationCurve& curve : family.evaluations) {
    if (curve.method != method || !curve.fit) continue;
    if (curve.what == "accelerations") return &curve;
    if (curve.what == "residual and Jacobian") found = &curve;
  }
  return found;
}

// What a reader asks first: which methods stay linear, and where.
Table PowerTable(const Comparison& comparison, const std::vector<FamilyScaling>& families) {
  std::vector<const FamilyScaling*> fitted;
  for (const FamilyScaling& family : families) {
    if (std::any_of(comparison.methods.begin(), comparison.methods.end(),
                    [&family](const std::string& method) { return CurveOf(family, method); }))
      fitted.push_back(&family);
  }
  Table table{"Time of one evaluation grows like bodies to the power of", {{"method"}}};
  for (const FamilyScaling* family : fitted) table.columns.push_back({family->family, true});
  for (const std::string& method : comparison.methods) {
    std::vector<TableCell> row = {MethodCell(comparison, method)};
    bool is_fitted = false;
    for (const FamilyScaling* family : fitted) {
      const EvaluationCurve* curve = CurveOf(*family, method);
      const auto power = curve ? std::optional(1 + curve->fit->slope) : std::nullopt;
      is_fitted |= power.has_value();
      row.push_back(NumberCell(
          power ? fmt::format("{:.2f}\n{} to {}, last {:.2f}", *power,
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
                            "largest sizes; nothing is fitted over fewer than {} sizes or less "
                            "than a factor of {} in bodies.",
                            kFewestSizes, kLeastRange)});
  AddTable(std::move(powers), "scaling_powers.csv", section, document);
}

// Evaluations that did not end ok are no points of a figure: here they are said, once for all problems on
// which a method ended alike.
List FailedEvaluations(const Comparison& comparison) {
  std::vector<std::pair<std::string, std::vector<std::string>>> endings;  // and problems
  for (const ProblemResults& problem : comparison.problems) {
    for (const Trial* trial : problem.evaluations) {
      if (trial->outcome == "ok") continue;
      const std::string ending = fmt::format("{}: {}{}", Code(trial->method), trial->outcome,
                                             trial->reason.empty() ? "" : " - " + trial->reason);
      auto known = std::find_if(endings.begin(), endings.end(),
                                [&](const auto& one) { return one.first == ending; });
      if (known == endings.end()) known = endings.insert(endings.end(), {ending, {}});
      known->second.push_back(problem.name);
    }
  }
  List list;
  for (const auto& [ending, problems] : endings)
    list.items.push_back(fmt::format("{}, on {}", ending, fmt::join(problems, ", ")));
  return list;
}

// The command that measures more sizes of the families that have some.
std::string CommandForSizes(const Comparison& comparison) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> families;
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.name.find(":bodies=") == std::string::npos || families.size() >= kMostNamed)
      continue;
    const std::string argument = fmt::format("--problem '{}:*'", FamilyOf(problem));
    if (std::find(families.begin(), families.end(), argument) == families.end())
      families.push_back(argument);
  }
  return families.empty()
             ? ""
             : fmt::format(" {} measures more sizes.",
                           Code(fmt::format("mbsbench run {}", fmt::join(families, " "))));
}

}  // namespace

Section ScalingSection(const Comparison& comparison, Document& document) {
  Section section{"scaling", "Growth with bodies", {}};
  const std::vector<FamilyScaling> families = Scaling(comparison);
  AddPowers(comparison, families, section, document);
  for (const FamilyScaling& family : families) {
    if (family.steps.empty() && family.evaluations.empty() && !HasErrors(family)) continue;
    Section one{"scaling-" + family.stem, family.family, {}};
    if (!family.evaluations.empty())
      one.blocks.push_back(EvaluationFigure(comparison, family, document));
    AddEvaluationErrors(comparison, family, one, document);
    if (!family.steps.empty()) AddStepFigures(comparison, family, one, document);
    AddTable(SlopeTable(family), "scaling_slopes." + family.stem + ".csv", one, document);
    section.sections.push_back(std::move(one));
  }
  if (Section loops = LoopCostSection(comparison, document); !loops.blocks.empty())
    section.sections.push_back(std::move(loops));
  if (section.sections.empty()) {
    section.blocks.push_back(
        Paragraph{"No family of problems was measured at two sizes, so growth is not known." +
                  CommandForSizes(comparison)});
  }
  if (Section counts = OperationCountsSection(comparison, document); !counts.blocks.empty())
    section.sections.push_back(std::move(counts));
  if (List failed = FailedEvaluations(comparison); !failed.items.empty()) {
    section.sections.push_back({"scaling-failed",
                                "Evaluations that did not end ok, and so are not drawn",
                                {std::move(failed)}});
  }
  return section;
}

}  // namespace mbsbench::reports
