// All steady states that were found from many guesses.
#include <fmt/format.h>

#include <algorithm>

#include "reports/format/format.h"
#include "reports/pages/sections.h"
#include "reports/pages/steady.h"

namespace mbsbench::reports {

namespace {

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

}  // namespace

std::optional<Table> FoundStatesTable(const std::vector<SurveyedCell>& surveyed,
                                      Document& document) {
  Table table{"Steady states found from many guesses, at each problem's own speed",
              {{"problem"},
               {"speed", true},
               {"values"},
               {"stability"},
               {"frequencies [rad/s]"},
               {"growth [1/s]", true},
               {"guesses that lead to it", true},
               {"from the problem's own guess"}}};
  CsvFile file{"steady_states_found.csv",
               {"problem", "speed", "state", "quantity", "value", "stability", "growth_per_s",
                "reached_by", "starts", "from_own_guess"}};
  for (const auto& [problem, cell] : surveyed) {
    const std::string unit = " " + SpeedUnit(*problem, *cell);
    const EquilibriaRecord& equilibria = OrNone(RecordOf(*cell).steady_survey).equilibria;
    const MaybeNumber speed = IfFinite(equilibria.speed), starts = equilibria.starts;
    int state = 0;
    for (const FoundStateRecord& found : equilibria.found) {
      ++state;
      std::vector<std::string> values, modes;
      const MaybeNumber reached = found.reached_by;
      const bool own = found.from_the_problems_guess;
      for (const auto& [name, value] : found.values.ByName()) {
        file.rows.push_back({cell->problem, OptionalNumber(speed), state, name,
                             OptionalNumber(IfFinite(value)), StabilityText(found),
                             OptionalNumber(found.growth), OptionalNumber(reached),
                             OptionalNumber(starts), own ? "yes" : "no"});
        values.push_back(QuantityText(name, IfFinite(value), own ? ErrorOfState(*cell) : kGuessed,
                                      UnitOf(*cell, name)));
      }
      for (const MaybeNumber& one : IfFinite(found.frequencies))
        modes.push_back(one ? FormatDigits(*one, 8) : "-");
      table.rows.push_back(
          {{cell->problem},
           DigitsCell(speed, 7, unit.c_str()),
           {Listed(values, kMostValues)},
           {StabilityText(found), nullptr, found.stable == false ? "weak" : ""},
           {modes.empty() ? "-" : Listed(modes, kMostModes)},
           GrowthCell(found),
           NumberCell(fmt::format("{:g} of {:g}", reached.value_or(0), starts.value_or(0)),
                      reached),
           {own ? "yes" : ""}});
    }
  }
  if (table.rows.empty()) return std::nullopt;
  table.csv = AddFile(document, std::move(file));
  return table;
}

}  // namespace mbsbench::reports
