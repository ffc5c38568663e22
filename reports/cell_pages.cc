// What the page of a single cell shows, in elements of their own: a reader opens few of them.
#include "reports/cell_pages.h"

#include <map>

#include "reports/changes.h"
#include "reports/format.h"
#include "reports/outcomes.h"

namespace mbsbench::reports {

namespace {

constexpr std::size_t kKeyLength =
    12;  // enough to be unique in a store, and for 'mbsbench explain'

void Put(Json& object, const char* name, const std::optional<double>& value) {
  if (value) object[name] = *value;
}
void Put(Json& object, const char* name, const std::string& value) {
  if (!value.empty()) object[name] = value;
}

Json CellJson(const Cell& cell, const std::string& changed) {
  Json json = {{"method", cell.method},
               {"integrator", cell.integrator},
               {"setting", cell.Setting()},
               {"outcome", cell.outcome},
               {"group", FindOutcome(cell.outcome).group}};
  Put(json, "reason", cell.reason);
  Put(json, "caution", cell.caution);
  Put(json, "changed", changed);
  Put(json, "command", cell.command);
  Put(json, "error", cell.error);
  Put(json, "error at the end", cell.error_end);
  Put(json, "velocity error", cell.error_velocity);
  Put(json, "reaction error", cell.error_reactions);
  if (cell.tolerance && cell.error && *cell.tolerance > 0)
    json["error over tolerance"] = *cell.error / *cell.tolerance;
  Put(json, "position drift", cell.position_drift);
  Put(json, "velocity drift", cell.velocity_drift);
  Put(json, "energy drift", cell.energy_drift);
  Put(json, "momentum drift", cell.momentum_drift);
  Put(json, "end time [s]", cell.end_time);
  if (cell.accuracy) {
    Put(json, "time reached [s]", Number(cell.accuracy->record, "time_reached"));
    Put(json, "digits left", Number(cell.accuracy->record, "digits_left"));
    Put(json, "hash of the end state", Text(cell.accuracy->record, "end_state_hash"));
  }
  Put(json, "set-up [s]", cell.prepare_minimum);
  Put(json, "memory [B]", cell.memory_bytes);
  Json rounds = Json::array();
  for (const auto& [round, seconds] : cell.rounds) {
    const auto repetitions = cell.repetitions.find(round);
    rounds.push_back({round, seconds,
                      repetitions == cell.repetitions.end() ? Json() : Json(repetitions->second)});
  }
  if (!rounds.empty()) json["rounds"] = std::move(rounds);
  if (cell.budget.is_object()) json["budget"] = cell.budget;
  Json counters = Json::object();
  for (const auto& [name, count] : cell.counters.items()) {
    if (count.is_number() && count != 0) counters[name] = count;
  }
  if (!counters.empty()) json["counters"] = std::move(counters);
  return json;
}

}  // namespace

std::string CellKey(const Cell& cell) { return cell.key.substr(0, kKeyLength); }

std::string CellRoute(const ProblemResults& problem, const Cell& cell) {
  return cell.key.empty() ? "" : "cell/" + problem.stem + "/" + CellKey(cell);
}

void AddCellPages(const Comparison& comparison, Document& document) {
  const std::map<std::string, std::string> changes = ChangesByCell(comparison);
  for (const ProblemResults& problem : comparison.problems) {
    Json cells = Json::object();
    for (const Cell& cell : problem.cells) {
      // What was neither tried nor measured has its reason in the matrix.
      if (cell.key.empty() || !IsTried(cell.outcome)) continue;
      const auto changed = changes.find(NameOf(cell).Text());
      cells[CellKey(cell)] = CellJson(cell, changed == changes.end() ? "" : changed->second);
    }
    if (!cells.empty())
      document.cells.push_back({problem.stem,
                                {{"problem", problem.name},
                                 {"route", ProblemRoute(problem)},
                                 {"cells", std::move(cells)}}});
  }
}

}  // namespace mbsbench::reports
