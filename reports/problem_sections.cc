// One section per problem: what it is, its diagram, its times at equal error, its drift, what was
// published.
#include <fmt/format.h>

#include <algorithm>

#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/mechanism_map.h"
#include "reports/noise.h"
#include "reports/observables.h"
#include "reports/outcome_matrix.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kCommonIntegrator =
    "rk4";  // the papers'; every method of ODE form can take it

std::string Facts(const ProblemResults& problem) {
  const Json& document = problem.document;
  std::string text;
  const auto add = [&text](const std::string& fact) { text += (text.empty() ? "" : ", ") + fact; };
  if (const auto bodies = Number(document, "bodies")) {
    const auto count = static_cast<long long>(*bodies);
    add(count == 1 ? "1 body" : FormatCount(count) + " bodies");
  }
  if (const auto freedom = Number(document, "degrees_of_freedom")) {
    add(*freedom == 1 ? "1 degree of freedom"
                      : FormatCount(static_cast<long long>(*freedom)) + " degrees of freedom");
  }
  if (const auto loops = Number(document, "loops"); loops && *loops > 0) {
    add(Plural(static_cast<long long>(*loops), "closed loop"));
  }
  if (Field(document, "planar") == true) add("planar motion");
  if (Field(document, "conservative") == true) add("conservative");
  return text;
}

// So that nobody blames a method for chaos.
std::string DigitsAllowed(const ProblemResults& problem) {
  const Json& reference = Field(problem.document, "reference");
  const auto digits = Number(reference, "digits_allowed");
  if (!digits) {
    return Number(reference, "error_estimate")
               ? "Digits it allows: not known. Its reference is a closed form, beside which no "
                 "sensitivity to the initial state is computed."
               : "";
  }
  const std::string sensitivity = FormatDigits(Number(reference, "sensitivity").value_or(0), 3);
  const auto of_data = Number(reference, "data_sensitivity");
  return fmt::format(
      "Digits it allows: {:.1f}. A small change of the initial state grows up to {} times{}, so "
      "that "
      "rounding to double precision (1.1e-16) alone costs all further ones, whatever the method.",
      *digits, sensitivity,
      of_data ? fmt::format(", relative changes of the data {} times", FormatDigits(*of_data, 3))
              : "");
}

Section ProblemSection(const Comparison& comparison, const ProblemResults& problem,
                       Document& document) {
  const std::string title = Text(problem.document, "title");
  Section section{"problem-" + problem.stem, problem.name, {}, {}, ProblemRoute(problem)};
  std::string about = title + (title.empty() ? "" : ". ") + Text(problem.document, "description");
  if (const std::string source = Text(problem.document, "source"); !source.empty())
    about += " Source: " + source + ".";
  if (!about.empty()) section.blocks.push_back(Paragraph{about});
  if (const std::string facts = Facts(problem); !facts.empty())
    section.blocks.push_back(Paragraph{facts + "."});
  if (const std::string digits = DigitsAllowed(problem); !digits.empty())
    section.blocks.push_back(Paragraph{digits});
  if (const Noise noise = NoiseOf(problem); noise.IsNoisy())
    section.blocks.push_back(Paragraph{noise.Sentence()});
  if (comparison.runs.size() > 1)
    section.blocks.push_back(Paragraph{"Measured on " + problem.bench.name + "."});

  section.blocks.push_back(WorkPrecisionFigure(comparison, problem, document));
  if (IsJudged(problem)) {
    section.blocks.push_back(EqualErrorTable(comparison, problem, "", document));
    if (std::any_of(problem.cells.begin(), problem.cells.end(),
                    [](const Cell& cell) { return cell.integrator == kCommonIntegrator; })) {
      section.blocks.push_back(EqualErrorTable(comparison, problem, kCommonIntegrator, document));
    }
  }
  if (auto figure = MotionFigure(comparison, problem, document))
    section.blocks.push_back(std::move(*figure));
  if (auto table = ParameterTable(problem, document)) section.blocks.push_back(std::move(*table));
  section.blocks.push_back(OutcomeMatrixOf(comparison, problem));
  if (auto figure = DriftFigure(comparison, problem, document))
    section.blocks.push_back(std::move(*figure));
  if (auto table = PublishedTable(problem, document)) {
    section.blocks.push_back(
        Paragraph{"What others state of this motion: `printed` in the paper that the problem is "
                  "from, `computed` "
                  "by an independent program that its source names, or `exact` by an analytic "
                  "solution. Units "
                  "are m, rad, m/s and rad/s; differences of angles are taken modulo 2 pi."});
    section.blocks.push_back(std::move(*table));
  }
  if (auto table = LibraryTable(problem, document)) section.blocks.push_back(std::move(*table));
  return section;
}

Table ProblemTable(const Comparison& comparison) {
  Table table{"Problems",
              {{"problem"},
               {"what it is"},
               {"mechanism"},
               {"bodies", true},
               {"freedoms", true},
               {"closed loops", true},
               {"digits it allows", true},
               {"cells ok", true},
               {"cells", true},
               {"fastest at 1e-6"}},
              {},
              ""};
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.cells.empty()) continue;
    const Json& document = problem.document;
    const auto ok = std::count_if(problem.cells.begin(), problem.cells.end(),
                                  [](const Cell& cell) { return cell.outcome == "ok"; });
    const auto digits = Number(Field(document, "reference"), "digits_allowed");
    const auto times = BestOfEachMethod(comparison, problem, "", 1e-6);
    const BestTime* fastest = Fastest(times);
    table.rows.push_back({{problem.name, nullptr, "", ProblemRoute(problem), problem.stem},
                          {Text(document, "title")},
                          {KindOf(problem)},
                          CountCell(Number(document, "bodies")),
                          CountCell(Number(document, "degrees_of_freedom")),
                          CountCell(Number(document, "loops")),
                          NumberCell(digits ? fmt::format("{:.1f}", *digits) : "-", digits),
                          CountCell(static_cast<double>(ok)),
                          CountCell(static_cast<double>(problem.cells.size())),
                          {fastest ? fastest->method + ", " + fastest->integrator : "-", nullptr,
                           fastest ? "" : "weak"}});
  }
  return table;
}

}  // namespace

TableCell ProblemCell(const ProblemResults& problem) {
  return {problem.name, nullptr, "", ProblemRoute(problem)};
}

TableCell MethodCell(const Comparison& comparison, const std::string& method) {
  return {method, nullptr, "", MethodRoute(comparison, method)};
}

std::string CommandOf(const ProblemResults& problem) {
  return problem.bench.run ? problem.bench.run->command : "";
}

Json CurveStyle(const Comparison& comparison, const std::string& method,
                const std::string& integrator, bool second_ladder) {
  Json style = {{"method", method}, {"integrator", integrator}};
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

Section ProblemSections(const Comparison& comparison, Document& document) {
  Section section{"problems", "Problems", {}};
  Table table = ProblemTable(comparison);
  if (!table.rows.empty()) {
    table.csv = AddFile(document, AsCsv("problems.csv", table));
    section.blocks.push_back(std::move(table));
  }
  for (const ProblemResults& problem : comparison.problems) {
    // What one assumption moves is a row among the observables.
    if (!problem.cells.empty() && !IsVariation(problem))
      section.sections.push_back(ProblemSection(comparison, problem, document));
  }
  if (section.sections.empty())
    section.blocks.push_back(Paragraph{"No problem has a finished cell."});
  return section;
}

}  // namespace mbsbench::reports
