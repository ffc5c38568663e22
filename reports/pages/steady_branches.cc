// All steady states found, and their branches over the driving speed.
#include <fmt/format.h>

#include <algorithm>

#include "reports/format/format.h"
#include "reports/pages/sections.h"
#include "reports/pages/steady.h"

namespace mbsbench::reports {

namespace {

constexpr std::size_t kMostBranches = 4;  // values of a state in a table; the file has all
constexpr std::size_t kMostModes = 3;     // frequencies likewise
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

TableCell GrowthCell(const FoundStateRecord& found) {
  return found.neutral.value_or(false)
             ? NumberCell(fmt::format("0 (within {})", FormatError(found.growth_round_off)),
                          found.growth)
             : DigitsCell(found.growth, 4);
}

// Points of one curve; a point of nulls separates stretches.
struct Stretches {
  const char* name;
  int color, symbol;
  bool marks_only = false;
  Json points = Json::array();
  void Add(double x, double y, const std::string& text) {
    points.push_back({x, Json::array({y}), text});
  }
  void Part() {
    if (!points.empty()) points.push_back({nullptr, Json::array({nullptr}), ""});
  }
};

}  // namespace

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
        file.rows.push_back(
            {cell->problem, OptionalNumber(speed), state, name, OptionalNumber(IfFinite(value)),
             StabilityText(found.stable, found.neutral), OptionalNumber(found.growth),
             OptionalNumber(reached), OptionalNumber(starts), own ? "yes" : "no"});
        values.push_back(QuantityText(name, IfFinite(value), own ? ErrorOfState(*cell) : kGuessed,
                                      UnitOf(*cell, name)));
      }
      for (const MaybeNumber& one : IfFinite(found.frequencies))
        modes.push_back(one ? FormatDigits(*one, 8) : "-");
      table.rows.push_back(
          {{cell->problem},
           DigitsCell(speed, 7, unit.c_str()),
           {Listed(values, kMostBranches)},
           {StabilityText(found.stable, found.neutral), nullptr,
            found.stable == false ? "weak" : ""},
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

std::optional<Figure> BranchFigure(const ProblemResults& problem, const Cell& cell,
                                   Document& document) {
  const SteadySurveyRecord& survey = OrNone(RecordOf(cell).steady_survey);
  if (!survey.branches) return std::nullopt;
  const std::string unit = SpeedUnit(problem, cell);
  const BranchesRecord& branches = *survey.branches;
  const std::string &drawn = survey.drawn, &label = survey.label;
  Stretches stable{"stable", 0, 0}, neutral{"neutral", 5, 0}, unstable{"unstable", 1, 1},
      unknown{"stability not known", 6, 2}, turning{"turning points", 2, 3, true},
      own{"found at the problem's own speed", 3, 2, true};
  CsvFile file{"branches." + problem.stem + ".csv",
               {"problem", "branch", "point", "speed", "stability", "quantity", "value"}};
  Figure figure;
  figure.table = {
      "Turning points, and where branches end",
      {{"branch", true}, {"what"}, {"speed [" + unit + "]", true, "speed"}, {label, true}}};
  int number = 0;
  long long single = 0;  // branches of one point
  for (const BranchRecord& branch : branches.list) {
    ++number;
    const std::vector<MaybeNumber> speeds = IfFinite(branch.speeds);
    const std::vector<double>* const drawn_values = branch.values.Find(drawn);
    const std::vector<MaybeNumber> values =
        drawn_values ? IfFinite(*drawn_values) : std::vector<MaybeNumber>{};
    const auto all_values = branch.values.ByName();
    const auto row = [&](const char* what, std::optional<double> speed,
                         std::optional<double> value) {
      figure.table.rows.push_back(
          {CountCell(number), {what}, DigitsCell(speed, 10), DigitsCell(value, 10)});
    };
    Stretches* before = nullptr;
    for (std::size_t i = 0; i < speeds.size() && i < values.size(); ++i) {
      if (!speeds[i] || !values[i]) continue;
      const auto at = [i](const std::vector<std::optional<bool>>& list) {
        return i < list.size() ? list[i] : std::nullopt;
      };
      const std::optional<bool> is_stable = at(branch.stable), is_neutral = at(branch.neutral);
      Stretches& kind = !is_stable                   ? unknown
                        : !*is_stable                ? unstable
                        : is_neutral.value_or(false) ? neutral
                                                     : stable;
      const std::string stability = StabilityText(is_stable, is_neutral);
      const std::string text = fmt::format("branch {}, {}: speed {:.6g}, {} {:.8g}", number,
                                           stability, *speeds[i], drawn, *values[i]);
      // A stretch reaches to the first point of the next, so that the curve has no gap.
      if (before != nullptr && before != &kind) before->Add(*speeds[i], *values[i], text);
      if (before != &kind) kind.Part();
      kind.Add(*speeds[i], *values[i], text);
      before = &kind;
      for (const auto& [name, list] : all_values) {
        if (i < list.size())
          file.rows.push_back({problem.name, number, i, *speeds[i], stability, name,
                               OptionalNumber(IfFinite(list[i]))});
      }
    }
    for (const TurningPointRecord& point : branch.turning_points) {
      const MaybeNumber speed = IfFinite(point.speed), value = ValueOf(point.values, drawn);
      row("turning point", speed, value);
      if (!speed || !value) continue;
      turning.Add(*speed, *value,
                  fmt::format("turning point: speed {:.10g}, {} {:.10g}", *speed, drawn, *value));
    }
    if (speeds.empty() || values.empty()) continue;
    if (speeds.size() == 1) ++single;
    row(("begins: " + branch.begins).c_str(), speeds.front(), values.front());
    row(("ends: " + branch.ends).c_str(), speeds.back(), values.back());
  }
  for (const FoundStateRecord& found : survey.equilibria.found) {
    const MaybeNumber speed = IfFinite(survey.equilibria.speed),
                      value = ValueOf(found.values, drawn);
    if (!speed || !value) continue;
    own.Add(*speed, *value,
            fmt::format("{} at the problem's own speed: {} {:.13g}",
                        StabilityText(found.stable, found.neutral), drawn, *value));
  }
  Json series = Json::array();
  for (Stretches* one : {&stable, &neutral, &unstable, &unknown, &turning, &own}) {
    if (!one->points.empty())
      series.push_back({{"name", one->name},
                        {"color", one->color},
                        {"symbol", one->symbol},
                        {"marks_only", one->marks_only},
                        {"points", std::move(one->points)}});
  }
  if (series.empty()) return std::nullopt;
  figure.kind = "curves";
  figure.title = "Steady states over the driving speed: " + problem.name;
  figure.summary = fmt::format(
      "Steady states, {}, over the speed of the first driver, from {:g} to {:g} {}, by "
      "pseudo-arclength continuation around turning points. Stability by the eigenvalues of the "
      "linearised motion. Branches start from random guesses at both ends and at the problem's own "
      "speed. Others may exist.",
      label, IfFinite(branches.from).value_or(0), IfFinite(branches.to).value_or(0), unit);
  if (single > 0) {
    figure.notes.push_back(fmt::format(
        "Drawn as single marks, because they could not be followed: {}. Newton's matrix is "
        "singular there at every speed: loop constraints depend on each other (both arms straight "
        "up or down).",
        Plural(single, "state")));
  }
  figure.command = CommandOf(problem);
  figure.data = {
      {"series", series}, {"x", "driving speed [" + unit + "]"}, {"quantities", {label}}};
  figure.csv = AddFile(document, std::move(file));
  return figure;
}

}  // namespace mbsbench::reports
