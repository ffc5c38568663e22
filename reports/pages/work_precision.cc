// Work-precision diagram of one problem: error against CPU time, one curve per method and
// integrator.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "reports/analysis/equal_error.h"
#include "reports/analysis/outcomes.h"
#include "reports/analysis/stalled.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/cell_pages.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// The cells of a problem on the lower envelope of their curve.
std::set<const Cell*> OnEnvelope(const ProblemResults& problem) {
  std::set<const Cell*> found;
  for (const Curve& curve : Curves(problem)) {
    for (const ErrorTimePoint& point : EnvelopeOf(problem, curve)) found.insert(point.cell);
  }
  return found;
}

Table PointsTable(const ProblemResults& problem) {
  const std::set<const Cell*> on_envelope = OnEnvelope(problem);
  return TableOf<Cell>(
      "Every cell of the problem",
      {{FileColumn("problem"), &Cell::problem},
       {{"method"}, &Cell::method},
       {OnPage({"integrator"}),
        [](auto& c) { return c.integrator.empty() ? "any" : c.integrator; }},
       {FileColumn("integrator"), &Cell::integrator},
       {OnPage({"setting"}),
        [](const Cell& cell) {
          return TableCell{cell.Setting(),
                           OptionalNumber(cell.tolerance ? cell.tolerance : cell.step)};
        }},
       {FileColumn("tolerance"), &Cell::tolerance},
       {FileColumn("step_s"), &Cell::step},
       {{"outcome"}, OutcomeCell},
       {ErrorColumn("error", "error_max"),
        [&problem](auto& c) -> TableCell {
          const auto error = Resolved(problem, c);
          return error ? NumberCell(error->Text(), c.error) : TableCell{c.error};
        }},
       {OnPage(ErrorColumn("error / tolerance")), &Cell::ErrorOverTolerance},
       {SecondsColumn("CPU time", "cpu_minimum_s"), [](auto& c) { return c.CpuMinimum(); }},
       {SecondsColumn("upper quartile", "cpu_upper_quartile_s"),
        [](auto& c) { return c.cpu ? std::optional(c.cpu->upper_quartile) : std::nullopt; }},
       {FileColumn("rounds"), &Cell::TimedRounds},
       {FileColumn("on_envelope"), [&on_envelope](auto& c) { return on_envelope.contains(&c); }},
       {OnPage({"steps", true}), [](auto& c) { return c.counters.steps; }},
       {OnPage({"evaluations", true}), [](auto& c) { return c.counters.evaluations; }},
       {OnPage({"reason"}), &Cell::reason},
       {FileColumn("command"), &Cell::command}},
      problem.cells);
}

// Why a cell is not a point of the diagram; empty if it is one.
std::string WhyNotDrawn(const Cell& cell) {
  if (!cell.finished()) return cell.outcome + (cell.reason.empty() ? "" : " - " + cell.reason);
  if (!cell.error) {
    return cell.outcome == "no_reference" ? "no certified reference to judge it by"
                                          : "no error recorded";
  }
  if (!cell.cpu) return "no timed round yet";
  if (*cell.error <= 0) return "error is zero, which a log axis cannot show";
  if (cell.cpu->minimum <= 0) return "CPU time is zero, which a log axis cannot show";
  return "";
}

// One line per method and outcome; for finished cells, per integrator and reason too. `why_of` gives the reason of a cell,
// empty if it needs no line. The table below the figure has every cell with its own reason.
std::vector<std::string> Notes(const ProblemResults& problem, const std::string& lead,
                               const std::function<std::string(const Cell&)>& why_of) {
  struct Group {
    std::vector<const Cell*> cells;
    std::vector<std::string> reasons, integrators;
  };
  std::vector<Group> groups;
  for (const Cell& cell : problem.cells) {
    const std::string why = why_of(cell);
    if (why.empty()) continue;
    const auto is_alike = [&](const Group& group) {
      const Cell& first = *group.cells.front();
      return first.method == cell.method && first.outcome == cell.outcome &&
             (!cell.finished() ||
              (first.integrator == cell.integrator && group.reasons.front() == why));
    };
    Group& group = FindOrAdd(groups, is_alike, {});
    group.cells.push_back(&cell);
    AddOnce(group.reasons, why);
    if (!cell.integrator.empty()) AddOnce(group.integrators, cell.integrator);
  }
  std::vector<std::string> notes;
  for (const Group& group : groups) {
    const std::size_t cells = group.cells.size();
    std::string settings = group.cells.front()->Setting();
    if (group.integrators.size() > 1) {
      settings = fmt::format("{} cells", cells);
    } else if (cells == 2) {
      settings += " and " + group.cells.back()->Setting();
    } else if (cells > 2) {
      settings =
          fmt::format("{} cells from {} to {}", cells, settings, group.cells.back()->Setting());
    }
    std::string curve = group.cells.front()->method;
    if (!group.integrators.empty())
      curve += fmt::format(", {}", fmt::join(group.integrators, ", "));
    std::string reason = group.reasons.front();  // may be a sentence with a full stop
    if (reason.back() == '.') reason.pop_back();
    const std::size_t others = group.reasons.size() - 1;
    notes.push_back(
        fmt::format("{}: {}, {}: {}{}.", lead, curve, settings, reason,
                    others == 0 ? "" : fmt::format(" (and {} like it)", Plural(others, "reason"))));
  }
  return notes;
}

// The least time at each error over all curves of a family, or of a variant: points [seconds, error, place]. The place of a
// cell is [series, point]; null where two curves cross or one ends.
Json LeastCurves(const ProblemResults& problem, const std::map<const Cell*, Json>& places,
                 bool is_family) {
  Groups<std::string, std::vector<ErrorTimePoint>> groups;
  for (const Curve& curve : Curves(problem)) {
    const std::string name = is_family ? MethodKey(curve.method) : curve.method;
    GroupOf(name, groups).push_back(EnvelopeOf(problem, curve));
  }
  Json drawn = Json::array();
  for (const auto& [name, envelopes] : groups) {
    Json points = Json::array();
    for (const ErrorTimePoint& point : LeastTimes(envelopes)) {
      const auto place = places.find(point.cell);
      points.push_back(
          {point.seconds, point.error, place == places.end() ? Json() : place->second});
    }
    if (!points.empty())
      drawn.push_back(
          {{"name", name}, {is_family ? "family" : "method", name}, {"points", std::move(points)}});
  }
  return drawn;
}

}  // namespace

Figure WorkPrecisionFigure(const Comparison& comparison, const ProblemResults& problem,
                           Document& document) {
  Figure figure;
  figure.kind = "work-precision";
  figure.title = "Work-precision diagram of " + problem.name;
  figure.command = CommandOf(problem);
  figure.table = PointsTable(problem);
  figure.notes = Notes(problem, "Not drawn", WhyNotDrawn);
  FileFigure("work_precision." + problem.stem + ".csv", figure, document);

  const auto drift = [](const std::optional<double>& value) {
    return value && *value > 0 ? Json(*value) : Json();
  };
  Json series = Json::array();
  std::map<const Cell*, Json> places;  // among the series
  int drawn = 0;
  for (const Curve& curve : Ladders(problem)) {
    Json points = Json::array();
    for (const Cell* cell : curve.cells) {
      if (!cell->finished() || !cell->cpu || cell->cpu->minimum <= 0) continue;
      const bool has_error = WhyNotDrawn(*cell).empty();
      const Json drifts = {drift(cell->energy_drift), drift(cell->position_drift),
                           drift(cell->velocity_drift)};
      if (!has_error && drifts == Json{nullptr, nullptr, nullptr}) continue;
      drawn += has_error;
      places[cell] = {series.size(), points.size()};
      points.push_back(
          {cell->cpu->minimum, has_error ? Json(*cell->error) : Json(), cell->cpu->upper_quartile,
           cell->outcome == "ok" ? 1 : 0,
           fmt::format("{}: {}, error {}, CPU {} (to {} over {})", cell->Setting(), cell->outcome,
                       ErrorInWords(problem, *cell), FormatSeconds(cell->cpu->minimum),
                       FormatSeconds(cell->cpu->upper_quartile),
                       Plural(cell->cpu->rounds, "round")),
           drifts[0], drifts[1], drifts[2], CellRoute(problem, *cell)});
    }
    if (points.empty()) continue;
    Json one =
        CurveStyle(comparison, curve.method, curve.integrator, curve.name, curve.second_ladder);
    one["points"] = std::move(points);
    series.push_back(std::move(one));
  }
  const Cell* most_accurate = MostAccurate(problem, [](const Cell& cell) {
    return cell.integrator != kSteadySolver && WhyNotDrawn(cell).empty();
  });
  const auto estimate = OrNone(problem.record.reference).error_estimate,
             attainable = OrNone(problem.record.reference).attainable_error;
  const bool by_round_off = attainable && *attainable > estimate.value_or(0);
  const auto floor = by_round_off ? attainable : estimate;
  const std::string below = by_round_off ? "below what rounding start and data to double costs"
                                         : "below the reference's own error";
  figure.data = {{"series", series},
                 {"groups",
                  {{{"label", "method families"}, {"series", LeastCurves(problem, places, true)}},
                   {{"label", "variants"}, {"series", LeastCurves(problem, places, false)}}}},
                 {"quantities", {"error", "energy drift", "position drift", "velocity drift"}},
                 {"levels", kErrorLevels},
                 {"floor", floor && *floor > 0 ? Json(*floor) : Json()},
                 {"below_floor", below}};
  for (std::string& note :
       Notes(problem, "Caution", [](const Cell& cell) { return cell.caution; })) {
    figure.notes.push_back(std::move(note));
  }
  for (std::string& one : StalledSentences(comparison, problem))
    figure.notes.push_back(std::move(one));
  figure.summary =
      drawn == 0
          ? "No cell of this problem has both an error and a time."
          : fmt::format(
                "Error against CPU time (minimum over rounds) of {}. Lower and further left is "
                "better. Hollow points are inaccurate. A click opens a cell. The line of a family "
                "or a variant is its least time at each error, as in the tables: the least over "
                "its variants and integrators, each interpolated between its own cells. So it "
                "may pass left of a cell, and it is level where one of them ends. Far from any "
                "marker it is a guess; tables mark a time with ≈ if it is farther from its two "
                "cells than the middle between cells {:g} decades of error apart (by the product "
                "of both distances). The most accurate cell (the cheapest within 10 % of "
                "the least error): "
                "{} at {}, error {} in {}{}.",
                drawn > 1 && static_cast<std::size_t>(drawn) == series.size()
                    ? fmt::format("one cell each of {} pairs of method and integrator", drawn)
                    : fmt::format("{} in {}", Plural(drawn, "cell"),
                                  Plural(series.size(), "curve")),
                TimeAtError::kMostDecades, most_accurate->Curve(), most_accurate->Setting(),
                FormatError(most_accurate->error), FormatSeconds(most_accurate->cpu->minimum),
                floor && *most_accurate->error < *floor ? ", which is " + below : "");
  return figure;
}

}  // namespace mbsbench::reports
