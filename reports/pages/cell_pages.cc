// The data of the pages of single cells, stored apart because a reader opens few of them.
#include "harness/records/json_codec.h"
#include "reports/analysis/outcomes.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

constexpr std::size_t kKeyLength = 12;  // unique in a store, and enough for 'mbsbench explain'

void Put(Json& object, const char* name, const std::optional<double>& value) {
  if (value) object[name] = *value;
}
void Put(Json& object, const char* name, const std::string& value) {
  if (!value.empty()) object[name] = value;
}

// A bound is a text, other errors are numbers.
void PutError(Json& object, const char* name, const ProblemResults& problem, const Cell& cell,
              std::optional<double> Cell::*error) {
  const auto resolved = Resolved(problem, cell, error);
  if (!resolved) return;
  object[name] = resolved->value;
  if (resolved->is_at_limit) object[name] = resolved->Words();
}

Json CellJson(const ProblemResults& problem, const Cell& cell) {
  Json json = {{"method", cell.method},
               {"integrator", cell.integrator},
               {"setting", cell.Setting()},
               {"outcome", cell.outcome},
               {"group", FindOutcome(cell.outcome).group}};
  Put(json, "reason", cell.reason);
  Put(json, "caution", cell.caution);
  Put(json, "command", cell.command);
  PutError(json, "error", problem, cell, &Cell::error);
  PutError(json, "error until the failure", problem, cell, &Cell::error_until_failure);
  PutError(json, "error at the end", problem, cell, &Cell::error_end);
  PutError(json, "velocity error", problem, cell, &Cell::error_velocity);
  Put(json, "reaction error", cell.error_reactions);
  Put(json, "reaction error by the multipliers of steps", cell.error_algorithmic_reactions);
  if (const auto error = Resolved(problem, cell); error && !error->is_at_limit)
    Put(json, "error over tolerance", cell.ErrorOverTolerance());
  Put(json, "position drift", cell.position_drift);
  Put(json, "velocity drift", cell.velocity_drift);
  Put(json, "energy drift", cell.energy_drift);
  Put(json, "linear momentum drift", cell.linear_momentum_drift);
  Put(json, "angular momentum drift", cell.angular_momentum_drift);
  Put(json, "position drift until the failure", cell.position_drift_until_failure);
  Put(json, "velocity drift until the failure", cell.velocity_drift_until_failure);
  Put(json, "energy drift until the failure", cell.energy_drift_until_failure);
  Put(json, "end time [s]", cell.end_time);
  if (cell.accuracy) {
    const TrialRecord& record = cell.accuracy->record;
    Put(json, "time reached [s]", record.TimeReached());
    Put(json, "digits left", OrNone(record.condition).digits_left);
    Put(json, "hash of the end state", record.EndStateHash());
    if (const auto& accuracy = record.accuracy; accuracy && accuracy->singular_samples)
      Put(json, "gap", Sentence(*accuracy->singular_samples));
  }
  Put(json, "set-up [s]", cell.prepare_minimum);
  Put(json, "memory [B]", cell.memory_bytes);
  Json rounds = Json::array();
  for (const auto& [key, seconds] : cell.rounds) {
    const auto repetitions = cell.repetitions.find(key);
    const auto& [target, round] = key;
    rounds.push_back({round, seconds,
                      repetitions == cell.repetitions.end() ? Json() : Json(repetitions->second),
                      target > 0 ? Json(FormatError(target)) : Json()});
  }
  if (!rounds.empty()) json["rounds"] = std::move(rounds);
  if (cell.finished() && (cell.cpu || cell.counters.evaluations) &&
      cell.integrator != kSteadySolver)
    json["drawn"] = true;
  if (cell.budget) json["budget"] = ToJson(*cell.budget);
  Json counters = Json::object();
  for (const auto& [name, count] : CountsOf(cell.counters)) {
    if (count.value_or(0) != 0) counters[name] = *count;
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
  for (const ProblemResults& problem : comparison.problems) {
    Json cells = Json::object();
    for (const Cell& cell : problem.cells) {
      // The matrix has the reasons of cells that were not run.
      if (cell.key.empty() || !IsTried(cell.outcome)) continue;
      cells[CellKey(cell)] = CellJson(problem, cell);
    }
    if (!cells.empty())
      document.cells.push_back({problem.stem,
                                {{"problem", problem.name},
                                 {"route", ProblemRoute(problem)},
                                 {"cells", std::move(cells)}}});
  }
}

}  // namespace mbsbench::reports
