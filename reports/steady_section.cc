// Steady states: what methods of algebraic form found, how Newton's iteration got there, and its cost.
#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <cmath>

#include "reports/format.h"
#include "reports/motion_figure.h"
#include "reports/sections.h"
#include "reports/steady.h"

namespace mbsbench::reports {

namespace {

constexpr std::size_t kMostSteadyStates = 6;  // unknowns of a large system; the file has them all

// Names of the fields, hinge_2 before hinge_10.
std::vector<std::string> InOrderOfNumbers(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return strverscmp(a.c_str(), b.c_str()) < 0;
  });
  return names;
}

std::string History(const Json& steady, const char* name) {
  std::string text;
  for (const auto& value : Numbers(steady, name))
    text += (text.empty() ? "" : ", ") + FormatError(value);
  return text.empty() ? "-" : text;
}

}  // namespace

std::string FormatSteady(double value, std::optional<double> error) {
  constexpr int kMostDigits = 15;
  constexpr double kRoundOff = 1e-16;
  const double known = std::max(error.value_or(1e-9), kRoundOff * std::max(1., std::abs(value)));
  const int decimals = std::clamp(static_cast<int>(std::floor(-std::log10(2 * known))), 0, 17);
  const double magnitude = std::abs(value);
  if (magnitude < std::pow(10., -decimals)) return "0";
  const int leading = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, std::max(0, kMostDigits - leading)));
}

std::optional<double> ErrorOfState(const Cell& cell) {
  if (cell.error) return cell.error;
  const auto steps = Numbers(Field(RecordOf(cell), "steady_state"), "step_history");
  return steps.empty() ? std::nullopt : steps.back();
}

Section SteadySection(const Comparison& comparison, Document& document) {
  Section section{"steady", "Steady states", {}};
  Table states{"Equilibria", {{"problem"}, {"unknowns"}}};
  Table iterations{"Newton's iteration",
                   {{"problem"},
                    {"method"},
                    {"outcome"},
                    {"iterations", true},
                    {"scaled residual at the guess and after each iteration"},
                    {"largest step of each iteration"},
                    {"error", true},
                    {"closure", true},
                    {"CPU time", true, "cpu_minimum_s"}}};
  CsvFile all{"steady_states.csv", {"problem", "method", "unknown", "value", "unit"}};
  std::vector<SurveyedCell> surveyed;
  std::vector<Figure> branches;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      const Json& survey = Field(RecordOf(cell), "steady_survey");
      if (survey.is_object()) {
        surveyed.push_back({&problem, &cell});
        if (auto figure = BranchFigure(problem, cell, document))
          branches.push_back(std::move(*figure));
      }
      const Json& steady = Field(RecordOf(cell), "steady_state");
      if (!steady.is_object()) continue;
      const Json &unknowns = Field(steady, "unknowns"), &units = Field(steady, "units");
      std::string values;
      std::size_t shown = 0;
      for (const std::string& name : InOrderOfNumbers(unknowns)) {
        const Json& value = unknowns[name];
        const std::string unit = Text(units, name.c_str());
        all.rows.push_back({problem.name, cell.method, name, OptionalNumber(Number(value)), unit});
        if (!cell.finished() || shown++ >= kMostSteadyStates) continue;
        const auto number = Number(value);
        values += fmt::format("{}{} = {}", values.empty() ? "" : "; ", name,
                              number ? FormatSteady(*number, ErrorOfState(cell)) : "-");
        if (!unit.empty()) values += " " + unit;
      }
      if (shown > kMostSteadyStates) values += "; ...";
      if (!values.empty()) {
        states.rows.push_back({{problem.name, nullptr, "", ProblemRoute(problem),
                                SteadyPicture(comparison, problem, cell, document)},
                               {values}});
      }
      const auto count = Number(cell.counters, "newton_iterations");
      iterations.rows.push_back({{problem.name},
                                 {cell.method},
                                 {cell.outcome + (cell.reason.empty() ? "" : ": " + cell.reason)},
                                 CountCell(count),
                                 {History(steady, "residual_history")},
                                 {History(steady, "step_history")},
                                 ErrorCell(cell.error),
                                 ErrorCell(cell.position_drift),
                                 SecondsCell(cell.CpuMinimum())});
    }
  }
  if (iterations.rows.empty()) {
    section.blocks.push_back(
        Paragraph{"This store holds no steady state. `mbsbench run` of a driven problem with a "
                  "method of algebraic form adds them."});
    return section;
  }
  section.blocks.push_back(Paragraph{fmt::format(
      "Positions in which driven systems rest relative to their drivers, found by Newton's method "
      "from each problem's own guess. Residuals are relative to the terms that cancel in them. "
      "Errors are against closed equations solved in 113 bits (34 digits). {} unknowns of large "
      "systems are "
      "shown; `csv/steady_states.csv` has all.",
      kMostSteadyStates)});
  iterations.csv = AddFile(document, AsCsv("newton.csv", iterations));
  states.csv = AddFile(document, std::move(all));
  section.blocks.push_back(std::move(states));
  section.blocks.push_back(std::move(iterations));
  AddIfAny(NewtonCostFigure(comparison, document), section);
  if (auto table = FoundStatesTable(surveyed, document)) {
    section.blocks.push_back(Paragraph{
        "Newton's method starts from the problem's own guess and from random ones, at the "
        "problem's own speed. Other states may exist. Where loop constraints depend on each other "
        "(arms straight up or down), the multipliers of least norm enter the linearised motion."});
    section.blocks.push_back(std::move(*table));
  }
  for (Figure& figure : branches) section.blocks.push_back(std::move(figure));
  Section settling = SettlingSection(comparison, document);
  if (!settling.blocks.empty()) section.sections.push_back(std::move(settling));
  return section;
}

}  // namespace mbsbench::reports
