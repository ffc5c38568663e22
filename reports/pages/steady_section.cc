// Steady states found by methods of algebraic form.
#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <cmath>

#include "reports/format/format.h"
#include "reports/pages/motion_figure.h"
#include "reports/pages/sections.h"
#include "reports/pages/steady.h"

namespace mbsbench::reports {

namespace {

constexpr std::size_t kMostSteadyStates = 6;  // unknowns shown of a large system; the file has all

// Names of the fields, hinge_2 before hinge_10.
std::vector<std::string> InOrderOfNumbers(const NamedValues<double>& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values.list) names.push_back(name);
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return strverscmp(a.c_str(), b.c_str()) < 0;
  });
  return names;
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

std::string QuantityText(const std::string& name, MaybeNumber value, std::optional<double> error,
                         const std::string& unit) {
  return fmt::format("{} = {}{}{}", name, value ? FormatSteady(*value, error) : "-",
                     unit.empty() ? "" : " ", unit);
}

std::optional<double> ErrorOfState(const Cell& cell) {
  if (cell.error) return cell.error;
  const std::vector<double>& steps = OrNone(RecordOf(cell).steady_state).step_history;
  return steps.empty() ? std::nullopt : IfFinite(steps.back());
}

Section SteadySection(const Comparison& comparison, Document& document) {
  Section section{"steady", "Steady states", {}};
  Table states{"Equilibria", {{"problem"}, {"unknowns"}}};
  CsvFile all{"steady_states.csv", {"problem", "method", "unknown", "value", "unit"}};
  std::vector<SurveyedCell> surveyed;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      if (RecordOf(cell).steady_survey) surveyed.push_back({&problem, &cell});
      if (!RecordOf(cell).steady_state) continue;
      const SteadyStateRecord& steady = *RecordOf(cell).steady_state;
      std::vector<std::string> values;
      for (const std::string& name : InOrderOfNumbers(steady.unknowns)) {
        const MaybeNumber number = ValueOf(steady.unknowns, name);
        const std::string* const stated = steady.units.Find(name);
        const std::string unit = stated ? *stated : "";
        all.rows.push_back({problem.name, cell.method, name, OptionalNumber(number), unit});
        values.push_back(QuantityText(name, number, ErrorOfState(cell), unit));
      }
      if (cell.finished() && !values.empty()) {
        states.rows.push_back({{problem.name, nullptr, "", ProblemRoute(problem),
                                SteadyPicture(comparison, problem, cell, document)},
                               {Listed(values, kMostSteadyStates)}});
      }
    }
  }
  if (all.rows.empty()) return section;
  section.blocks.push_back(Paragraph{fmt::format(
      "Positions in which driven systems rest relative to their drivers, found by Newton's method "
      "from each problem's own guess. A value has the decimals that its error leaves, against "
      "closed equations solved in 113 bits (34 digits). {} unknowns of large systems are shown; "
      "`csv/steady_states.csv` has all.",
      kMostSteadyStates)});
  states.csv = AddFile(document, std::move(all));
  section.blocks.push_back(std::move(states));
  Section guessed{"steady-found", "Steady states found from many guesses"};
  if (auto table = FoundStatesTable(surveyed, document)) {
    guessed.blocks.push_back(Paragraph{
        "Newton's method starts from the problem's own guess and from random ones, at the "
        "problem's own speed. Other states may exist. Where loop constraints depend on each other "
        "(arms straight up or down), the multipliers of least norm enter the linearised motion. "
        "Growth is the largest real part of an eigenvalue of that motion. Stable: it is negative. "
        "Neutral: it is 0 within its round-off; small motions neither grow nor decay."});
    guessed.blocks.push_back(std::move(*table));
  }
  AddFolded(std::move(guessed), section);
  return section;
}

}  // namespace mbsbench::reports
