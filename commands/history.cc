// mbsbench history: cost and error of benchmarks and cells over the runs of any number of stores.
#include "reports/analysis/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "commands/bench.h"
#include "commands/options.h"
#include "commands/text.h"
#include "reports/pages/history_figures.h"
#include "reports/pages/history_page.h"

namespace mbsbench {

namespace {

using reports::CaseHistory;
using reports::HistoryGroup;
using reports::HistoryPoint;
using reports::HistoryRun;
using reports::Index;
using reports::RunHistory;
using reports::Tracked;

struct HistoryOptions {
  std::vector<std::string> stores;
  std::string output;
  bool all = false, json = false;
};

std::string ValueText(Tracked quantity, double value) {
  switch (quantity) {
    case Tracked::kTime: return Nanoseconds(value);
    case Tracked::kInstructions: return fmt::format("{:.0f}", value);
    case Tracked::kError: return fmt::format("{:.3g}", value);
  }
  return "";
}

// One line for one quantity of a case, with the runs in which it changed.
void PrintSeries(const RunHistory& history, const CaseHistory& one, Tracked quantity) {
  const HistoryPoint *first = nullptr, *latest = nullptr;
  int runs = 0;
  for (const HistoryPoint& p : one.points) {
    if (!p.ratio[Index(quantity)]) continue;
    if (first == nullptr) first = &p;
    latest = &p;
    ++runs;
  }
  const std::string lead = fmt::format("  {:<12} {:>4} {:>11} {:>11} {:>8.4g}  ", Name(quantity),
                                       runs, ValueText(quantity, *first->value[Index(quantity)]),
                                       ValueText(quantity, *latest->value[Index(quantity)]),
                                       *latest->ratio[Index(quantity)]);
  PrintWrapped(lead, ChangesText(history, one, quantity));
}

int PrintGroup(const RunHistory& history, const HistoryGroup& group, bool all) {
  Print("\n{}", Wrapped("", fmt::format("{}; {}, {}", group.cpu, group.compiler, group.flags)));
  int left_out = 0;
  bool has_heading = false;
  for (const CaseHistory& one : group.cases) {
    bool is_named = false;
    for (const Tracked quantity : {Tracked::kInstructions, Tracked::kTime, Tracked::kError}) {
      if (!one.Has(quantity)) continue;
      if (!all && one.changes[Index(quantity)].empty()) {
        ++left_out;
        continue;
      }
      if (!has_heading) {
        Print("  {:<12} {:>4} {:>11} {:>11} {:>8}  {}\n", "quantity", "runs", "first", "latest",
              "ratio", "changed in");
        has_heading = true;
      }
      if (!is_named) PrintWrapped("", one.name);
      is_named = true;
      PrintSeries(history, one, quantity);
    }
  }
  if (!has_heading) Print("  nothing changed\n");
  return left_out;
}

void PrintText(const RunHistory& history, const HistoryOptions& o) {
  Print("run  started               commit      store\n");
  for (std::size_t i = 0; i < history.runs.size(); ++i) {
    const HistoryRun& run = history.runs[i];
    Print("{:>3}  {:<20}  {:<10}  {}\n", i + 1, run.started, reports::ShortCommit(run.build.commit),
          run.store);
  }
  int left_out = 0;
  for (const HistoryGroup& group : history.groups) left_out += PrintGroup(history, group, o.all);
  const std::vector<reports::WrongCell> wrong = BecameWrong(history);
  if (!wrong.empty()) Print("\ncells that became wrong\n");
  for (const reports::WrongCell& w : wrong) PrintWrapped("  " + w.cell->name + ": ", WrongText(w));
  Print("\nratios of times are ratios of times relative to the control kernel\n");
  if (left_out > 0) Print("{} series did not change; --all lists them\n", left_out);
}

Json Document(const RunHistory& history) {
  Json runs = Json::array(), groups = Json::array();
  for (const HistoryRun& run : history.runs)
    runs.push_back({{"store", run.store},
                    {"id", run.id},
                    {"started", run.started},
                    {"commit", run.build.commit}});
  for (const HistoryGroup& group : history.groups) {
    Json cases = Json::array();
    for (const CaseHistory& one : group.cases) {
      Json document = {{"name", one.name}, {"method", one.method}};
      for (const Tracked quantity : reports::kTracked) {
        if (!one.Has(quantity)) continue;
        Json points = Json::array(), changed = Json::array();
        for (const HistoryPoint& p : one.points) {
          if (p.ratio[Index(quantity)])
            points.push_back({{"run", p.run},
                              {"value", NumberOrNull(p.value[Index(quantity)])},
                              {"ratio", NumberOrNull(p.ratio[Index(quantity)])}});
        }
        for (const std::size_t i : one.changes[Index(quantity)])
          changed.push_back(one.points[i].run);
        document[Name(quantity)] = {{"points", std::move(points)},
                                    {"changed_in", std::move(changed)}};
      }
      cases.push_back(std::move(document));
    }
    groups.push_back({{"cpu", group.cpu},
                      {"compiler", group.compiler},
                      {"flags", group.flags},
                      {"cases", std::move(cases)}});
  }
  Json wrong = Json::array();
  for (const reports::WrongCell& w : BecameWrong(history)) {
    wrong.push_back({{"name", w.cell->name},
                     {"ok_in", w.before->run},
                     {"outcome", w.after->outcome},
                     {"in", w.after->run},
                     {"reason", w.after->reason}});
  }
  return {{"runs", std::move(runs)},
          {"groups", std::move(groups)},
          {"became_wrong", std::move(wrong)},
          {"rule", reports::kChangeRule},
          {"warnings", history.warnings}};
}

void ShowHistory(const HistoryOptions& o) {
  const RunHistory history = ReadHistory({o.stores.begin(), o.stores.end()});
  PrintWarnings(history.warnings, stderr);
  if (history.groups.empty()) {
    throw StoreError(
        "the stores hold neither benchmarks nor finished cells: 'mbsbench bench' and 'mbsbench "
        "run' create them.");
  }
  if (o.json)
    PrintJson(Document(history));
  else
    PrintText(history, o);
  if (o.output.empty()) return;
  WriteHistoryPage(history, o.output);
  if (!o.json) Print("drawn in {}\n", o.output);
}

}  // namespace

void AddHistoryCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "history", "Show instructions, times and errors over the runs of any number of stores",
      fmt::format(
          R"(Reads stores of 'mbsbench bench' and of 'mbsbench run', in any order. Runs are sorted by their
start, and a run that is in several stores counts once. Times are relative to the control kernel of
the same rounds. A series contains only runs with the same processor, compiler and flags.

{}
Examples:
  mbsbench history nightly/*.sqlite
  mbsbench history bench.sqlite --output history.html

Exit codes: 0 shown, whatever changed; 2 bad usage or input; 4 internal error.)",
          Wrapped("", fmt::format("A change is {}. It is a hint; 'mbsbench bench --against' and "
                                  "'mbsbench compare' give verdicts.",
                                  reports::kChangeRule))));
  const auto o = std::make_shared<HistoryOptions>();
  AddArgument(*command, "STORE", o->stores, "Stores");
  AddOption(*command, "--output", o->output, "FILE", "Draw it in this HTML file");
  command->add_flag("--all", o->all, "Also list what did not change");
  command->add_flag("--json", o->json, "As one JSON document");
  command->callback([o, &context] { ShowHistory(*o); });
}

}  // namespace mbsbench
