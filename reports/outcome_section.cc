// The outcome of every cell, and the reasons of those that did not end ok.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

#include "reports/cell_pages.h"
#include "reports/format.h"
#include "reports/outcome_matrix.h"
#include "reports/outcomes.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

// In all its rounds; null where a store does not say.
Json IntegrationsTimed(const Cell& cell) {
  if (cell.repetitions.empty()) return nullptr;
  int sum = 0;
  for (const auto& [round, repetitions] : cell.repetitions) sum += repetitions;
  return sum;
}

CsvFile CellsFile(const Comparison& comparison) {
  using Counters = CountersRecord;
  static const std::vector<std::pair<const char*, Counters::Count Counters::*>> counters{
      {"steps", &Counters::steps},
      {"rejected_steps", &Counters::rejected_steps},
      {"evaluations", &Counters::evaluations},
      {"jacobians", &Counters::jacobians},
      {"newton_iterations", &Counters::newton_iterations},
      {"factorisations", &Counters::factorisations},
      {"error_test_failures", &Counters::error_test_failures},
      {"convergence_failures", &Counters::convergence_failures},
      {"projections", &Counters::projections},
      {"events", &Counters::events}};
  CsvFile file{"cells.csv",
               {"problem",
                "method",
                "integrator",
                "tolerance",
                "step_s",
                "end_time_s",
                "outcome",
                "reason",
                "error_max",
                "error_end",
                "error_rms",
                "error_over_tolerance",
                "velocity_error_max",
                "reaction_error_max",
                "position_drift_max",
                "velocity_drift_max",
                "energy_drift_max",
                "momentum_drift_max",
                "cpu_minimum_s",
                "cpu_upper_quartile_s",
                "cpu_maximum_s",
                "rounds",
                "integrations_timed",
                "wall_minimum_s",
                "prepare_minimum_s",
                "memory_bytes"}};
  for (const auto& [column, counter] : counters) file.header.push_back(column);
  file.header.push_back("command");
  file.header.push_back("key");
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      const auto cpu = cell.cpu;
      std::vector<Json> row = {
          cell.problem,
          cell.method,
          cell.integrator,
          OptionalNumber(cell.tolerance),
          OptionalNumber(cell.step),
          OptionalNumber(cell.end_time),
          cell.outcome,
          cell.reason,
          OptionalNumber(cell.error),
          OptionalNumber(cell.error_end),
          OptionalNumber(cell.error_rms),
          cell.error && cell.tolerance ? Json(*cell.error / *cell.tolerance) : Json(),
          OptionalNumber(cell.error_velocity),
          OptionalNumber(cell.error_reactions),
          OptionalNumber(cell.position_drift),
          OptionalNumber(cell.velocity_drift),
          OptionalNumber(cell.energy_drift),
          OptionalNumber(cell.momentum_drift),
          cpu ? Json(cpu->minimum) : Json(),
          cpu ? Json(cpu->upper_quartile) : Json(),
          cpu ? Json(cpu->maximum) : Json(),
          cpu ? cpu->rounds : 0,
          IntegrationsTimed(cell),
          OptionalNumber(cell.wall_minimum),
          OptionalNumber(cell.prepare_minimum),
          OptionalNumber(cell.memory_bytes)};
      for (const auto& [column, counter] : counters)
        row.push_back(CountOrNull(cell.counters.*counter));
      row.push_back(cell.command);
      row.push_back(cell.key);
      file.rows.push_back(std::move(row));
    }
  }
  return file;
}

CsvFile RoundsFile(const Comparison& comparison) {
  CsvFile file{"rounds.csv",
               {"problem", "method", "integrator", "tolerance", "step_s", "round", "outcome",
                "cpu_s", "wall_s", "repetitions", "process", "prepare_s", "memory_bytes",
                "control_s", "end_state_hash", "run"},
               {}};
  for (const Trial& trial : comparison.results->trials) {
    if (trial.kind != "time") continue;
    static const TimeRecord none{.prepare_seconds = NAN};
    const TimeRecord& time = trial.record.time ? *trial.record.time : none;
    file.rows.push_back(
        {trial.problem, trial.method, trial.integrator, OptionalNumber(trial.tolerance),
         OptionalNumber(trial.step), trial.round, trial.outcome, OptionalNumber(trial.cpu_seconds),
         OptionalNumber(trial.wall_seconds), CountOrNull(time.repetitions),
         CountOrNull(trial.record.process), OptionalNumber(IfFinite(time.prepare_seconds)),
         CountOrNull(time.memory_bytes), OptionalNumber(trial.record.control_seconds),
         trial.record.EndStateHash(), trial.run_id});
  }
  return file;
}

// "stopped at t = 5.2 s" and "stopped at t = 0.9 s" are one kind of reason.
std::string WithoutNumbers(const std::string& reason) {
  std::string kind;
  for (std::size_t i = 0; i < reason.size(); ++i) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(reason[i])) != 0;
    const bool goes_on =
        !kind.empty() && kind.back() == '#' &&
        (reason[i] == '.' || reason[i] == 'e' || reason[i] == '-') && i + 1 < reason.size() &&
        (std::isdigit(static_cast<unsigned char>(reason[i + 1])) != 0 || reason[i + 1] == '-');
    if (!is_digit && !goes_on) {
      kind += reason[i];
    } else if (kind.empty() || kind.back() != '#') {
      kind += '#';
    }
  }
  return kind;
}

// Cells that share problem, method, integrator, outcome and kind of reason, in one line; a method that refuses a
// problem does so whatever the integrator.
Table ReasonTable(const Comparison& comparison) {
  Table table{"Cells that did not end ok, with the reason",
              {{"problem"},
               {"method"},
               {"integrator"},
               {"settings"},
               {"cells", true},
               {"outcome"},
               {"reason of the first", false, "reason"},
               {"key of the first"}}};
  for (const ProblemResults& problem : comparison.problems) {
    std::vector<std::vector<const Cell*>> groups;
    std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> group_of;
    for (const Cell& cell : problem.cells) {
      if (cell.outcome == "ok") continue;
      const std::string integrator = cell.outcome == "unsupported" ? "" : cell.integrator;
      const auto [it, is_new] = group_of.try_emplace(
          {cell.method, integrator, cell.outcome, WithoutNumbers(cell.reason)}, groups.size());
      if (is_new) groups.emplace_back();
      groups[it->second].push_back(&cell);
    }
    for (const auto& group : groups) {
      const Cell& first = *group.front();
      const bool several = std::any_of(group.begin(), group.end(), [&first](const Cell* cell) {
        return cell->integrator != first.integrator;
      });
      std::string settings = several ? "all" : first.Setting();
      if (group.size() > 1 && !several)
        settings += fmt::format(" {} {}", group.size() > 2 ? "to" : "and", group.back()->Setting());
      table.rows.push_back({ProblemCell(problem),
                            {first.method},
                            {first.integrator.empty() || several ? "any" : first.integrator},
                            {settings},
                            CountCell(static_cast<double>(group.size())),
                            {first.outcome, nullptr, "outcome-" + FindOutcome(first.outcome).group},
                            {first.reason.empty() ? "no reason recorded" : first.reason},
                            {first.key.substr(0, 8)}});
    }
  }
  return table;
}

Table OutcomeCounts(const Comparison& comparison) {
  std::map<std::string, int> counts;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) ++counts[cell.outcome];
  }
  Table table{"Cells by outcome", {{"outcome"}, {"letter"}, {"cells", true}, {"meaning"}}};
  for (const Outcome& outcome : AllOutcomes()) {
    table.rows.push_back({{outcome.name, nullptr, "outcome-" + outcome.group},
                          {outcome.letter},
                          CountCell(counts[outcome.name]),
                          {outcome.meaning}});
    counts.erase(outcome.name);
  }
  for (const auto& [name, count] : counts) {
    table.rows.push_back({{name}, {"?"}, CountCell(count), {FindOutcome(name).meaning}});
  }
  return table;
}

// What was tried and failed stays a line per problem; what methods refuse is listed once per reason.
struct Reasons {
  Table tried, refused;
};

Reasons Split(const Comparison& comparison, const Table& all) {
  Reasons reasons;
  reasons.tried = all;
  reasons.tried.rows.clear();
  reasons.tried.caption = "Cells that were tried or skipped and did not end ok, with the reason";
  reasons.refused = {"What methods refuse",
                     {{"method"}, {"cells", true}, {"reason"}, {"problems", true}, {"which"}}};
  struct Refusal {
    std::string method, reason, problems;
    double cells = 0, count = 0;
  };
  std::vector<Refusal> refusals;
  for (const auto& row : all.rows) {
    const std::string &method = row[1].text, &outcome = row[5].text, &reason = row[6].text;
    if (outcome != "unsupported") {
      reasons.tried.rows.push_back(row);
      continue;
    }
    auto it = std::find_if(refusals.begin(), refusals.end(), [&](const Refusal& refusal) {
      return refusal.method == method && refusal.reason == reason;
    });
    if (it == refusals.end()) it = refusals.insert(it, {method, reason, ""});
    it->problems += (it->problems.empty() ? "" : ", ") + row[0].text;
    it->cells += row[4].value.is_number() ? row[4].value.get<double>() : 0;
    ++it->count;
  }
  for (const Refusal& one : refusals) {
    reasons.refused.rows.push_back({MethodCell(comparison, one.method),
                                    CountCell(one.cells),
                                    {one.reason},
                                    CountCell(one.count),
                                    {one.problems}});
  }
  return reasons;
}

}  // namespace

Section OutcomeSection(const Comparison& comparison, Document& document) {
  Section section{"outcomes", "Outcomes", {}};
  AddFile(document, CellsFile(comparison));
  AddFile(document, RoundsFile(comparison));
  AddCellPages(comparison, document);
  if (comparison.CellCount() == 0) {
    section.blocks.push_back(Paragraph{"No cell has finished."});
    return section;
  }
  Figure matrix = OutcomeMatrix(comparison);
  matrix.command = LatestCommand(comparison);
  section.blocks.push_back(std::move(matrix));
  AddTable(OutcomeCounts(comparison), "outcome_counts.csv", section, document);
  Table reasons = ReasonTable(comparison);
  if (reasons.rows.empty()) {
    section.blocks.push_back(Paragraph{"Every cell ended ok."});
    return section;
  }
  section.blocks.push_back(
      Paragraph{"`mbsbench explain KEY` prints the progress of a cell, its last state, its cost, "
                "and the command that runs it alone. `cells.csv` has all keys."});
  const std::string csv = AddFile(document, AsCsv("reasons.csv", reasons));
  auto [tried, refused] = Split(comparison, reasons);
  for (Table* table : {&tried, &refused}) {
    if (table->rows.empty()) continue;
    table->csv = csv;
    section.blocks.push_back(std::move(*table));
  }
  return section;
}

}  // namespace mbsbench::reports
