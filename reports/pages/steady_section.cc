// Steady states found by methods of algebraic form.
#include <fmt/format.h>
#include <string.h>

#include <algorithm>

#include "reports/format/format.h"
#include "reports/pages/motion_figure.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

constexpr std::size_t kMostSteadyStates = 6;  // unknowns shown of a large system; the file has all

// The error of a state without a reference is the last step of Newton's iteration.
std::optional<double> ErrorOfState(const Cell& cell) {
  if (cell.error) return cell.error;
  const std::vector<double>& steps = OrNone(RecordOf(cell).steady_state).step_history;
  return steps.empty() ? std::nullopt : IfFinite(steps.back());
}

// "s = 0.15 m"; "s = - m" where the value is not known.
std::string QuantityText(const std::string& name, MaybeNumber value, std::optional<double> error,
                         const std::string& unit) {
  return fmt::format("{} = {}{}{}", name, value ? FormatSteady(*value, error) : "-",
                     unit.empty() ? "" : " ", unit);
}

constexpr std::size_t kMostValues = 4;  // of a state in a table; the file has all
constexpr std::size_t kMostModes = 3;   // frequencies likewise
// The error of a state from a random guess: where Newton's matrix is singular, as with arms straight up, the iteration
// converges slowly and stops that near.
constexpr double kGuessed = 1e-6;

const NamedValues<std::string>& UnitsOf(const Cell& cell) {
  return OrNone(RecordOf(cell).steady_state).units;
}

// Surveyed quantities that are no unknowns are positions.
std::string UnitOf(const Cell& cell, const std::string& name) {
  const std::string* const unit = UnitsOf(cell).Find(name);
  return unit != nullptr ? *unit : "m";
}

std::string StabilityText(const FoundStateRecord& found) {
  if (!found.stable) return "not known";
  if (!*found.stable) return "unstable";
  return found.neutral.value_or(false) ? "neutral" : "stable";
}

TableCell GrowthCell(const FoundStateRecord& found) {
  return found.neutral.value_or(false)
             ? NumberCell(fmt::format("0 (within {})", FormatError(found.growth_round_off)),
                          found.growth)
             : DigitsCell(found.growth, 4);
}

// "rad/s" where all driven joints turn, "m/s" where all slide, else both. Driven joints are no unknowns of the steady state.
std::string SpeedUnit(const ProblemResults& problem, const Cell& cell) {
  const NamedValues<std::string>& units = UnitsOf(cell);
  bool turns = false, slides = false;
  for (const DrawnJointRecord& joint : problem.record.joints) {
    if (joint.closes_loop || units.Find(joint.name) != nullptr) continue;
    turns |= joint.kind == "revolute";
    slides |= joint.kind == "prismatic";
  }
  return turns == slides ? "rad/s or m/s" : turns ? "rad/s" : "m/s";
}

// Adds the steady states that a cell reached from many guesses at the problem's own speed, with their stability: a row of the
// table for each state, and one of the file for each value.
void AddFoundStates(const ProblemResults& problem, const Cell& cell, Table& table, CsvFile& file) {
  const std::string unit = " " + SpeedUnit(problem, cell);
  const EquilibriaRecord& equilibria = OrNone(RecordOf(cell).steady_survey).equilibria;
  const MaybeNumber speed = IfFinite(equilibria.speed);
  int state = 0;
  for (const FoundStateRecord& found : equilibria.found) {
    ++state;
    std::vector<std::string> values, modes;
    const bool own = found.from_the_problems_guess;
    for (const auto& [name, value] : found.values.ByName()) {
      file.rows.push_back({cell.problem, OptionalNumber(speed), state, name,
                           OptionalNumber(IfFinite(value)), StabilityText(found),
                           OptionalNumber(found.growth), found.reached_by, equilibria.starts,
                           own ? "yes" : "no"});
      values.push_back(QuantityText(name, IfFinite(value), own ? ErrorOfState(cell) : kGuessed,
                                    UnitOf(cell, name)));
    }
    for (const MaybeNumber& one : IfFinite(found.frequencies))
      modes.push_back(one ? FormatDigits(*one, 8) : "-");
    table.rows.push_back(
        {{cell.problem},
         DigitsCell(speed, 7, unit.c_str()),
         {Listed(values, kMostValues)},
         {StabilityText(found), nullptr, found.stable == false ? "weak" : ""},
         {modes.empty() ? "-" : Listed(modes, kMostModes)},
         GrowthCell(found),
         NumberCell(fmt::format("{} of {}", found.reached_by, equilibria.starts), found.reached_by),
         {own ? "yes" : ""}});
  }
}

}  // namespace

Section SteadySection(const Comparison& comparison, Document& document) {
  Section section{"steady", "Steady states", {}};
  Table states{"Equilibria", {{"problem"}, {"unknowns"}}};
  CsvFile all{"steady_states.csv", {"problem", "method", "unknown", "value", "unit"}};
  Table found{"Steady states found from many guesses, at each problem's own speed",
              {{"problem"},
               {"speed", true},
               {"values"},
               {"stability"},
               {"frequencies [rad/s]"},
               {"growth [1/s]", true},
               {"guesses that lead to it", true},
               {"from the problem's own guess"}}};
  CsvFile found_file{"steady_states_found.csv",
                     {"problem", "speed", "state", "quantity", "value", "stability", "growth_per_s",
                      "reached_by", "starts", "from_own_guess"}};
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      AddFoundStates(problem, cell, found, found_file);
      if (!RecordOf(cell).steady_state) continue;
      const SteadyStateRecord& steady = *RecordOf(cell).steady_state;
      std::vector<std::string> values;
      auto unknowns = steady.unknowns.list;
      std::ranges::sort(unknowns, [](const auto& a, const auto& b) {
        return strverscmp(a.first.c_str(), b.first.c_str()) < 0;  // hinge_2 before hinge_10
      });
      for (const auto& [name, value] : unknowns) {
        const MaybeNumber number = IfFinite(value);
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
  if (!found.rows.empty()) {
    guessed.blocks.push_back(Paragraph{
        "Newton's method starts from the problem's own guess and from random ones, at the "
        "problem's own speed. Other states may exist. Where loop constraints depend on each other "
        "(arms straight up or down), the multipliers of least norm enter the linearised motion. "
        "Growth is the largest real part of an eigenvalue of that motion. Stable: it is negative. "
        "Neutral: it is 0 within its round-off; small motions neither grow nor decay."});
    found.csv = AddFile(document, std::move(found_file));
    guessed.blocks.push_back(std::move(found));
  }
  AddFolded(std::move(guessed), section);
  return section;
}

}  // namespace mbsbench::reports
