// Work-precision diagram of one problem: error against CPU time, one curve per method and
// integrator.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "reports/cell_pages.h"
#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/outcomes.h"
#include "reports/sections.h"
#include "reports/stalled.h"

namespace mbsbench::reports {

namespace {

Table PointsTable(const ProblemResults& problem) {
  Table table{"Every cell of the problem",
              {{"method"},
               {"integrator"},
               {"setting"},
               {"outcome"},
               {"error", true},
               {"error / tolerance", true},
               {"CPU time", true},
               {"to quartile", true},
               {"steps", true},
               {"evaluations", true},
               {"reason"}}};
  const auto counter = [](MaybeNumber value) { return value ? CountCell(value) : TableCell{"-"}; };
  for (const Cell& cell : problem.cells) {
    const auto minimum = cell.CpuMinimum();
    const auto quartile = cell.cpu ? std::optional(cell.cpu->upper_quartile) : std::nullopt;
    const auto over =
        cell.error && cell.tolerance ? std::optional(*cell.error / *cell.tolerance) : std::nullopt;
    table.rows.push_back(
        {{cell.method},
         {cell.integrator.empty() ? "any" : cell.integrator},
         {cell.Setting(), OptionalNumber(cell.tolerance ? cell.tolerance : cell.step), ""},
         {cell.outcome, nullptr, "outcome-" + FindOutcome(cell.outcome).group},
         ErrorCell(cell.error),
         ErrorCell(over),
         SecondsCell(minimum),
         SecondsCell(quartile),
         counter(cell.counters.steps),
         counter(cell.counters.evaluations),
         {cell.reason}});
  }
  return table;
}

CsvFile PointsFile(const ProblemResults& problem) {
  CsvFile file{"work_precision." + problem.stem + ".csv",
               {"problem", "method", "integrator", "tolerance", "step_s", "outcome", "error_max",
                "cpu_minimum_s", "cpu_upper_quartile_s", "rounds", "on_envelope", "command"}};
  for (const Curve& curve : Curves(problem)) {
    const auto envelope = LowerEnvelope(ErrorTimePoints(curve.cells));
    for (const Cell* cell : curve.cells) {
      const bool on_envelope =
          cell->finished() && cell->error && cell->cpu &&
          std::any_of(envelope.begin(), envelope.end(), [cell](const ErrorTimePoint& point) {
            return point.error == *cell->error && point.seconds == cell->cpu->minimum;
          });
      file.rows.push_back({problem.name, cell->method, cell->integrator,
                           OptionalNumber(cell->tolerance), OptionalNumber(cell->step),
                           cell->outcome, OptionalNumber(cell->error),
                           cell->cpu ? Json(cell->cpu->minimum) : Json(),
                           cell->cpu ? Json(cell->cpu->upper_quartile) : Json(),
                           cell->cpu ? cell->cpu->rounds : 0, on_envelope ? 1 : 0, cell->command});
    }
  }
  return file;
}

// Why a cell is no point of the diagram; empty when it is one.
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

// One line per method, outcome and, of cells that finished, integrator and reason. `why_of` says the reason,
// empty for cells that need no line. The table below the figure has every cell with its own reason.
std::vector<std::string> Notes(const ProblemResults& problem, const std::string& lead,
                               const std::function<std::string(const Cell&)>& why_of) {
  struct Group {
    std::vector<const Cell*> cells;
    std::vector<std::string> reasons, integrators;
  };
  const auto add_new = [](std::vector<std::string>& list, const std::string& text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
  };
  std::vector<Group> groups;
  for (const Cell& cell : problem.cells) {
    const std::string why = why_of(cell);
    if (why.empty()) continue;
    auto it = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      const Cell& first = *group.cells.front();
      return first.method == cell.method && first.outcome == cell.outcome &&
             (!cell.finished() ||
              (first.integrator == cell.integrator && group.reasons.front() == why));
    });
    if (it == groups.end()) it = groups.insert(groups.end(), Group{});
    it->cells.push_back(&cell);
    add_new(it->reasons, why);
    if (!cell.integrator.empty()) add_new(it->integrators, cell.integrator);
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
    std::string reason = group.reasons.front();  // some are sentences, which end by themselves
    if (reason.back() == '.') reason.pop_back();
    const std::size_t others = group.reasons.size() - 1;
    notes.push_back(fmt::format(
        "{}: {}, {}: {}{}.", lead, curve, settings, reason,
        others == 0
            ? ""
            : fmt::format(" (and {} like it)", Plural(static_cast<long long>(others), "reason"))));
  }
  return notes;
}

// The lower envelope of all curves of a family, or of a variant, as places of its points: [curve, point].
Json Envelopes(const Json& series, bool is_family) {
  struct Group {
    std::string name;
    std::vector<std::pair<std::size_t, std::size_t>> places;
  };
  std::vector<Group> groups;
  for (std::size_t s = 0; s < series.size(); ++s) {
    const std::string method = series[s]["method"];
    const std::string name = is_family ? MethodKey(method) : method;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&name](const Group& one) { return one.name == name; });
    if (group == groups.end()) group = groups.insert(group, {name, {}});
    for (std::size_t p = 0; p < series[s]["points"].size(); ++p) {
      if (series[s]["points"][p][1].is_number()) group->places.emplace_back(s, p);
    }
  }
  Json envelopes = Json::array();
  for (Group& group : groups) {
    const auto at = [&series](const auto& place, int what) {
      return series[place.first]["points"][place.second][what].template get<double>();
    };
    std::stable_sort(group.places.begin(), group.places.end(),
                     [&at](const auto& a, const auto& b) { return at(a, 0) < at(b, 0); });
    Json places = Json::array();
    double least = INFINITY;
    for (const auto& place : group.places) {
      if (at(place, 1) >= least) continue;
      least = at(place, 1);
      places.push_back({place.first, place.second});
    }
    if (!places.empty())
      envelopes.push_back({{"name", group.name},
                           {is_family ? "family" : "method", group.name},
                           {"places", std::move(places)}});
  }
  return envelopes;
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
  figure.csv = AddFile(document, PointsFile(problem));

  const auto drift = [](const std::optional<double>& value) {
    return value && *value > 0 ? Json(*value) : Json();
  };
  Json series = Json::array();
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
      points.push_back(
          {cell->cpu->minimum, has_error ? Json(*cell->error) : Json(), cell->cpu->upper_quartile,
           cell->outcome == "ok" ? 1 : 0,
           fmt::format("{}: {}, error {}, CPU {} (to {} over {})", cell->Setting(), cell->outcome,
                       FormatError(cell->error), FormatSeconds(cell->cpu->minimum),
                       FormatSeconds(cell->cpu->upper_quartile),
                       Plural(cell->cpu->rounds, "round")),
           drifts[0], drifts[1], drifts[2], CellRoute(problem, *cell)});
    }
    if (points.empty()) continue;
    Json one = CurveStyle(comparison, curve.method, curve.integrator, curve.second_ladder);
    one["name"] = curve.name;
    one["points"] = std::move(points);
    series.push_back(std::move(one));
  }
  const Cell* most_accurate =
      MostAccurate(problem, [](const Cell& cell) { return WhyNotDrawn(cell).empty(); });
  const auto estimate = Number(Field(problem.document, "reference"), "error_estimate"),
             attainable = Number(Field(problem.document, "reference"), "attainable_error");
  const bool by_round_off = attainable && *attainable > estimate.value_or(0);
  const auto floor = by_round_off ? attainable : estimate;
  const std::string below = by_round_off ? "below what rounding start and data to double costs"
                                         : "below the reference's own error";
  figure.data = {{"series", series},
                 {"groups",
                  {{{"label", "method families"}, {"series", Envelopes(series, true)}},
                   {{"label", "variants"}, {"series", Envelopes(series, false)}}}},
                 {"quantities", {"error", "energy drift", "position drift", "velocity drift"}},
                 {"levels", kErrorLevels},
                 {"floor", floor && *floor > 0 ? Json(*floor) : Json()},
                 {"below_floor", below}};
  for (std::string& note :
       Notes(problem, "Caution", [](const Cell& cell) { return cell.caution; })) {
    figure.notes.push_back(std::move(note));
  }
  for (std::string& one : StalledSentences(problem)) figure.notes.push_back(std::move(one));
  figure.summary =
      drawn == 0
          ? "No cell of this problem has both an error and a time."
          : fmt::format(
                "Error against CPU time (minimum over rounds) of {}. Lower and further left "
                "is better. Hollow points are inaccurate. A click opens a cell. The most accurate "
                "cell (the cheapest within 10 % of the least error): {} at {}, error {} in {}{}.",
                drawn > 1 && static_cast<std::size_t>(drawn) == series.size()
                    ? fmt::format("one cell each of {} pairs of method and integrator", drawn)
                    : fmt::format("{} in {}", Plural(drawn, "cell"),
                                  Plural(static_cast<long long>(series.size()), "curve")),
                most_accurate->Curve(), most_accurate->Setting(), FormatError(most_accurate->error),
                FormatSeconds(most_accurate->cpu->minimum),
                floor && *most_accurate->error < *floor ? ", which is " + below : "");
  return figure;
}

}  // namespace mbsbench::reports
