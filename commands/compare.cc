// mbsbench compare: the differences between two runs.
#include "harness/comparison/comparison.h"
#include "harness/records/json_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands/compare_formats.h"
#include "commands/options.h"
#include "commands/run_choice.h"
#include "commands/text.h"
#include "harness/store/files.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

struct CompareOptions {
  std::string a, b, store, junit;
  bool json = false, summary = false, markdown = false;
};

void PrintRun(const char* letter, const std::filesystem::path& store, const RunRow& run) {
  PrintWrapped(fmt::format("{}  ", letter),
               fmt::format("{}, run {} of {}: {}, build {}", store.string(), run.id.substr(0, 8),
                           run.started, OrUnknown(run.machine.cpu),
                           OrUnknown(run.build.commit).substr(0, 10)));
}

void PrintCells(const ComparedRuns& comparison, Direction direction, const std::string& title) {
  if (comparison.Count(direction) == 0) return;
  Print("\n{} ({})\n", title, comparison.Count(direction));
  for (const ComparedCell& cell : comparison.cells) {
    if (cell.direction() != direction) continue;
    PrintWrapped("  ", cell.name.Text());
    PrintChanges(cell.truth, cell.work, true);
    if (!cell.truth.empty()) Print("    {:<22} not compared: results differ\n", "time");
  }
}

void PrintOnly(const std::vector<CellName>& names, const char* letter) {
  if (names.empty()) return;
  Print("\nonly in {} ({})\n", letter, names.size());
  // Cells that differ only in their setting share a line.
  for (std::size_t i = 0; i < names.size();) {
    std::string text = names[i].Text();
    const std::string family = names[i].Family();
    for (++i; i < names.size() && names[i].Family() == family; ++i)
      text += ", " + names[i].Setting();
    PrintWrapped("  ", text);
  }
}

std::string Seconds(std::optional<double> seconds) {
  return seconds ? fmt::format("{:.4g}", *seconds) : "-";
}

void PrintTimes(const ComparedRuns& comparison) {
  constexpr std::size_t kColumn = 11, kName = kTerminalWidth - 2 - 2 * (kColumn + 1);
  bool first = true;
  for (const ComparedCell& cell : comparison.cells) {
    if (!cell.seconds_a && !cell.seconds_b) continue;
    if (first) {
      Print("\n{}{:<{}} {:>{}} {:>{}}\n",
            Wrapped("",
                    "CPU seconds, not paired: machines drift between runs, so there is no verdict; "
                    "cells whose results differ are left out"),
            "  cell", kName + 2, "A", kColumn, "B", kColumn);
      first = false;
    }
    std::string name = cell.name.Text();
    if (name.size() > kName) {
      PrintWrapped("  ", name);
      name.clear();
    }
    Print("  {:<{}} {:>{}} {:>{}}\n", name, kName, Seconds(cell.seconds_a), kColumn,
          Seconds(cell.seconds_b), kColumn);
  }
}

// The verdict, and what got worse.
void PrintSummary(const ComparedRuns& c) {
  PrintWrapped("", VerdictOf(c));
  PrintWarnings(c.warnings);
  PrintCells(c, Direction::kWorse, "WORSE");
}

void PrintText(const ComparedRuns& c, const ChosenRun& a, const ChosenRun& b) {
  PrintSummary(c);
  Print("\n");
  PrintRun("A", a.store, c.a);
  PrintRun("B", b.store, c.b);
  for (const std::string& note : c.notes) PrintWrapped("note: ", note);
  PrintCells(c, Direction::kChanged, "changed, neither better nor worse");
  PrintCells(c, Direction::kBetter, "better");
  PrintOnly(c.only_a, "A");
  PrintOnly(c.only_b, "B");
  const auto same_bits = std::count_if(c.cells.begin(), c.cells.end(),
                                       [](const ComparedCell& cell) { return cell.same_bits; });
  Print("\n{} end in exactly the same bits\n", same_bits);
  PrintTimes(c);
}

Json Document(const CellName& name) {
  Json document{{"kind", name.kind}};
  document.update(ToJson(name));
  return document;
}

Json Document(const ChosenRun& chosen) {
  return {{"store", chosen.store.string()},        {"run", chosen.run.id},
          {"started", chosen.run.started},         {"command", chosen.run.command},
          {"machine", ToJson(chosen.run.machine)}, {"build", ToJson(chosen.run.build)}};
}

Json Document(const ComparedRuns& c, const ChosenRun& a, const ChosenRun& b) {
  Json cells = Json::array(), only_a = Json::array(), only_b = Json::array(),
       others = Json::array();
  for (const ComparedCell& cell : c.cells) {
    Json one = Document(cell.name);
    one["direction"] = Name(cell.direction());
    one["truth"] = Document(cell.truth);
    one["work"] = Document(cell.work);
    one["same_bits"] = cell.same_bits;
    one["cpu_seconds"] = {{"a", NumberOrNull(cell.seconds_a)},
                          {"b", NumberOrNull(cell.seconds_b)},
                          {"paired", false}};
    cells.push_back(std::move(one));
  }
  for (const CellName& name : c.only_a) only_a.push_back(Document(name));
  for (const CellName& name : c.only_b) only_b.push_back(Document(name));
  for (const CellName& name : c.of_other_mechanisms) others.push_back(Document(name));
  return {{"a", Document(a)},
          {"b", Document(b)},
          {"notes", c.notes},
          {"warnings", c.warnings},
          {"rules",
           {{"factor", kWorseFactor},
            {"floor", kErrorFloor},
            {"floor_per_body", kErrorFloorPerBody},
            {"instructions", kInstructionLimit}}},
          {"counts",
           {{"worse", c.Count(Direction::kWorse)},
            {"better", c.Count(Direction::kBetter)},
            {"changed", c.Count(Direction::kChanged)},
            {"alike", c.Count(Direction::kAlike)}}},
          {"cells", std::move(cells)},
          {"only_in_a", std::move(only_a)},
          {"only_in_b", std::move(only_b)},
          {"of_other_mechanisms", std::move(others)}};
}

int Compare(const CompareOptions& options) {
  const ChosenRun a = ChooseRun(options.a, options.store), b = ChooseRun(options.b, options.store);
  const ComparedRuns comparison = CompareRuns(a, b);
  if (comparison.cells.empty() && !comparison.of_other_mechanisms.empty()) {
    throw StoreError(fmt::format(
        "not compared: another mechanism. What is named '{}' in one run is not that of the other.",
        comparison.of_other_mechanisms.front().problem));
  }
  if (comparison.cells.empty()) {
    throw StoreError(
        "the two runs share no cell, so there is nothing to compare: they hold other problems, "
        "methods or settings.");
  }
  if (!options.junit.empty()) WriteFile(options.junit, JunitOf(comparison), "--junit");
  if (options.json)
    PrintJson(Document(comparison, a, b));
  else if (options.markdown)
    Print("{}", MarkdownOf(comparison));
  else if (options.summary)
    PrintSummary(comparison);
  else
    PrintText(comparison, a, b);
  return comparison.Count(Direction::kWorse) > 0 ? kExitWorse : kExitOk;
}

}  // namespace

void AddCompareCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "compare", "Show what changed between two runs: outcomes, accuracy, drift, exact work",
      fmt::format(
          R"(A run is FILE (its latest run), FILE:RUN_ID, or RUN_ID with --store; the beginning of an id is
enough.

Results come first: if outcome, accuracy or drift of a cell changed, its times are not compared.
  outcome     in order: ok, no_reference, inaccurate, any that did not finish, crashed; a later one
              is worse. No verdict if different limits of time or memory decided it
  error,      worse above {:g} times the earlier value, both raised to the floor of round-off: {:g},
  drift       {:g} per body; for errors also what the problem's sensitivity allows in
              double precision, and the estimated error of the reference
  work        steps, evaluations, Jacobians ... compared exactly; worse if some rose and none fell
  instructions of the kernels that 'mbsbench bench' counted for the executables, if the stores
              hold such counts: worse {:g} % above the earlier count
  times       side by side and not paired: no verdict
A cell is worse if any of these is worse; otherwise better if any is better.

Examples:
  mbsbench compare before.sqlite after.sqlite
  mbsbench compare 1a2b3c4d 5e6f7a8b --store {}

Exit codes: 0 nothing got worse; 1 something got worse; 2 bad usage or input; 4 internal error.)",
          kWorseFactor, kErrorFloor, kErrorFloorPerBody, 100 * kInstructionLimit, kDefaultStore));
  const auto options = std::make_shared<CompareOptions>();
  AddArgument(*command, "RUN_A", options->a, "The earlier run");
  AddArgument(*command, "RUN_B", options->b, "The later run");
  AddOption(*command, "--store", options->store, "FILE",
            "The store in which run ids are looked up");
  CLI::Option *const json = command->add_flag("--json", options->json, "As one JSON document"),
                     *const summary = command->add_flag("--summary", options->summary,
                                                        "Only the verdict and what got worse");
  command
      ->add_flag("--markdown", options->markdown,
                 "The same as Markdown, for a comment on a pull request")
      ->excludes(json)
      ->excludes(summary);
  summary->excludes(json);
  AddOption(*command, "--junit", options->junit, "FILE", "Write JUnit's XML to this file as well");
  command->callback([&context, options] { context.exit_code = Compare(*options); });
}

}  // namespace mbsbench
