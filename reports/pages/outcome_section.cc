// The outcome of every cell, and the reasons of those that did not end ok.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <regex>
#include <set>

#include "reports/analysis/outcomes.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

CsvFile CellsFile(const Comparison& comparison) {
  const auto spread = [](double Spread::*what) {
    return [what](const Cell& cell) {
      return cell.cpu ? std::optional((*cell.cpu).*what) : std::nullopt;
    };
  };
  std::vector<ColumnOf<Cell>> columns = {
      {{"problem"}, &Cell::problem},
      {{"method"}, &Cell::method},
      {{"integrator"}, &Cell::integrator},
      {{"tolerance"}, &Cell::tolerance},
      {{"step_s"}, &Cell::step},
      {{"end_time_s"}, &Cell::end_time},
      {{"outcome"}, &Cell::outcome},
      {{"reason"}, &Cell::reason},
      {{"error_max"}, &Cell::error},
      {{"error_until_failure"}, &Cell::error_until_failure},
      {{"error_end"}, &Cell::error_end},
      {{"error_over_tolerance"}, &Cell::ErrorOverTolerance},
      {{"velocity_error_max"}, &Cell::error_velocity},
      {{"reaction_error_max"}, &Cell::error_reactions},
      {{"algorithmic_reaction_error_max"}, &Cell::error_algorithmic_reactions},
      {{"position_drift_max"}, &Cell::position_drift},
      {{"velocity_drift_max"}, &Cell::velocity_drift},
      {{"energy_drift_max"}, &Cell::energy_drift},
      {{"linear_momentum_drift_max"}, &Cell::linear_momentum_drift},
      {{"angular_momentum_drift_max"}, &Cell::angular_momentum_drift},
      {{"position_drift_until_failure"}, &Cell::position_drift_until_failure},
      {{"velocity_drift_until_failure"}, &Cell::velocity_drift_until_failure},
      {{"energy_drift_until_failure"}, &Cell::energy_drift_until_failure},
      {{"cpu_minimum_s"}, spread(&Spread::minimum)},
      {{"cpu_upper_quartile_s"}, spread(&Spread::upper_quartile)},
      {{"rounds"}, &Cell::TimedRounds},
      {{"wall_minimum_s"}, &Cell::wall_minimum},
      {{"prepare_minimum_s"}, &Cell::prepare_minimum},
      {{"memory_bytes"}, &Cell::memory_bytes},
      {{"command"}, &Cell::command},
      {{"key"}, &Cell::key}};
  for (std::size_t i = 0; const auto& [name, count] : CountsOf({}))
    columns.push_back(
        {{name}, [i = i++](const Cell& cell) { return CountsOf(cell.counters)[i].count; }});
  return AsCsv("cells.csv",
               TableOf("", columns,
                       comparison.problems | std::views::transform(&ProblemResults::cells) |
                           std::views::join));
}

CsvFile RoundsFile(const Comparison& comparison) {
  const auto time_of = [](const Trial& trial) {
    static const TimeRecord none{.prepare_seconds = NAN};
    return trial.record.time.value_or(none);
  };
  static const std::vector<ColumnOf<Trial>> columns = {
      {{"problem"}, &Trial::problem},
      {{"method"}, &Trial::method},
      {{"integrator"}, &Trial::integrator},
      {{"tolerance"}, &Trial::tolerance},
      {{"step_s"}, &Trial::step},
      {{"target"}, [=](auto& t) { return time_of(t).target; }},
      {{"round"}, &Trial::round},
      {{"outcome"}, &Trial::outcome},
      {{"cpu_s"}, &Trial::cpu_seconds},
      {{"wall_s"}, &Trial::wall_seconds},
      {{"repetitions"}, [=](auto& t) { return time_of(t).repetitions; }},
      {{"prepare_s"}, [=](auto& t) { return IfFinite(time_of(t).prepare_seconds); }},
      {{"memory_bytes"}, [=](auto& t) { return time_of(t).memory_bytes; }},
      {{"control_s"}, [](auto& t) { return t.record.control_seconds; }},
      {{"end_state_hash"}, [](auto& t) { return t.record.EndStateHash(); }},
      {{"run"}, &Trial::run_id}};
  const auto is_round = [](const Trial& trial) { return trial.kind == "time"; };
  return AsCsv("rounds.csv",
               TableOf("", columns, comparison.results->trials | std::views::filter(is_round)));
}

// Cells with the same problem, method, integrator, outcome and kind of reason, in one line. A refusal holds for all
// integrators.
struct Failure {
  const ProblemResults* problem;
  std::string kind;  // the reason without its numbers: "stopped at t = # s"
  std::vector<const Cell*> cells = {};
  const Cell& First() const { return *cells.front(); }
  std::string Reason() const {
    return First().reason.empty() ? "no reason recorded" : First().reason;
  }
  bool HasSeveralIntegrators() const {
    return !std::ranges::all_of(
        cells, [this](const Cell* cell) { return cell->integrator == First().integrator; });
  }
  std::string Integrator() const {
    return First().integrator.empty() || HasSeveralIntegrators() ? "any" : First().integrator;
  }
  std::string Settings() const {
    if (HasSeveralIntegrators()) return "all";
    return cells.size() == 1
               ? First().Setting()
               : fmt::format("{} {} {}", First().Setting(), cells.size() > 2 ? "to" : "and",
                             cells.back()->Setting());
  }
};

std::vector<Failure> Failures(const Comparison& comparison) {
  static const std::regex kNumber(R"(\d+([.e-]-?\d+)*)");
  std::vector<Failure> failures;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      if (cell.outcome == "ok") continue;
      const std::string kind = std::regex_replace(cell.reason, kNumber, "#");
      const auto is_alike = [&](const Failure& one) {
        return one.problem == &problem && one.kind == kind && one.First().method == cell.method &&
               one.First().outcome == cell.outcome &&
               (cell.outcome == "unsupported" || one.First().integrator == cell.integrator);
      };
      FindOrAdd(failures, is_alike, {&problem, kind}).cells.push_back(&cell);
    }
  }
  return failures;
}

// Cells of some outcomes, a line per problem.
Table ReasonTable(std::string caption, const std::vector<Failure>& failures) {
  return TableOf<Failure>(
      std::move(caption),
      {{{"problem"}, [](auto& o) { return ProblemCell(*o.problem); }},
       {{"method"}, [](auto& o) { return o.First().method; }},
       {{"integrator"}, &Failure::Integrator},
       {{"settings"}, &Failure::Settings},
       {{"cells", true}, [](auto& o) { return o.cells.size(); }},
       {{"outcome"}, [](auto& o) { return OutcomeCell(o.First()); }},
       {{"reason of the first", false, "reason"}, &Failure::Reason},
       {{"key of the first"}, [](auto& o) { return o.First().key.substr(0, 8); }}},
      failures);
}

// A reason without the names and numbers of its problem: "joint … closes a loop, and it takes only open chains".
std::string CommonReason(const Failure& refusal) {
  static const std::regex kVaries(R"(#|((?:body|joint|driver|element|flight) )'[^']*')");
  const std::regex method("\\b" + MethodKey(refusal.First().method) + R"((:[\w-]+(,[\w-]+)*)?\b)");
  return std::regex_replace(std::regex_replace(refusal.kind, kVaries, "$1…"), method, "it");
}

// What methods refuse, and how many problems each for that reason.
Table RefusedTable(const std::vector<Failure>& failures) {
  using Problems = std::set<const ProblemResults*>;
  std::map<std::string, std::map<std::string, Problems>> refusals;  // by reason and method
  for (const Failure& one : failures)
    refusals[CommonReason(one)][one.First().method].insert(one.problem);
  Table table{"Problems that methods refuse, by reason (…: a name or a number; it: the method)",
              {{"reason"}, {"methods (problems)"}, {"problems", true}}};
  for (const auto& [reason, by_method] : refusals) {
    std::vector<std::string> methods;
    Problems all;
    for (const auto& [method, problems] : by_method) {
      methods.push_back(fmt::format("{} ({})", method, problems.size()));
      all.insert(problems.begin(), problems.end());
    }
    table.rows.push_back({reason, fmt::format("{}", fmt::join(methods, ", ")), all.size()});
  }
  return table;
}

// The cells of each ending have a section, to which the lead of the page links.
struct EndingSection {
  CellEnding ending;
  const char *id, *title;
};
constexpr EndingSection kEndings[] = {
    {CellEnding::kFailed, "outcomes-failed", "Failed cells"},
    {CellEnding::kInaccurate, "outcomes-inaccurate", "Cells that are inaccurate or not judged"},
    {CellEnding::kRefused, "outcomes-refused", "Refused problems"},
    {CellEnding::kSkipped, "outcomes-skipped", "Skipped cells"}};

// "Failed: 3 cells of 2 methods (a, b)."
std::string InWords(CellEnding ending, const std::vector<Failure>& failures) {
  constexpr std::size_t kMostNamed = 5;
  std::size_t cells = 0;
  std::vector<std::string> methods;
  for (const Failure& one : failures) {
    cells += one.cells.size();
    AddOnce(methods, one.First().method);
  }
  const char* name = NameOf(ending);
  return fmt::format("{:c}{}: {} of {} ({}).", std::toupper(*name), name + 1, Plural(cells, "cell"),
                     Plural(methods.size(), "method"), Listed(methods, kMostNamed));
}

}  // namespace

Section OutcomeSection(const Comparison& comparison, Document& document) {
  Section section{"outcomes", "Outcomes", {}};
  AddFile(document, CellsFile(comparison));
  AddFile(document, RoundsFile(comparison));
  AddCellPages(comparison, document);
  if (comparison.CellCount() == 0) {
    const std::string evaluated = comparison.EvaluationsInWords();
    section.blocks.push_back(Paragraph{evaluated.empty() ? "No cell has finished." : evaluated});
    return section;
  }
  const std::vector<Failure> failures = Failures(comparison);
  Paragraph lead{failures.empty() ? "Every cell ended ok." : ""};
  std::vector<Section> details;
  const std::string reasons =
      failures.empty() ? "" : AddFile(document, AsCsv("reasons.csv", ReasonTable("", failures)));
  for (const auto& [ending, id, title] : kEndings) {
    std::vector<Failure> own;
    for (const Failure& one : failures) {
      if (EndingOf(one.First().outcome) == ending) own.push_back(one);
    }
    if (own.empty()) continue;
    lead.text += (lead.text.empty() ? "" : " ") + InWords(ending, own);
    lead.links.push_back({title, id});
    Table table = ending == CellEnding::kRefused
                      ? RefusedTable(own)
                      : ReasonTable(std::string(title) + ", with the reason", own);
    table.csv = reasons;
    details.push_back({id, title, {std::move(table)}, {}, "", true});
  }
  section.blocks.push_back(std::move(lead));
  section.blocks.push_back(OutcomeMatrix(comparison));
  std::vector<std::string> meanings;
  for (const Outcome& one : AllOutcomes())
    meanings.push_back(fmt::format("{} {}: {}", one.letter, Code(one.name), one.meaning));
  section.blocks.push_back(Paragraph{fmt::format("{}.", fmt::join(meanings, "; "))});
  if (!failures.empty())
    section.blocks.push_back(
        Paragraph{"`mbsbench explain KEY` prints the progress of a cell, its last state, its cost, "
                  "and the command that runs it alone. `csv/cells.csv` has all keys, "
                  "`csv/rounds.csv` every timed round."});
  section.sections = std::move(details);
  return section;
}

}  // namespace mbsbench::reports
