// Regressions: each benchmark over the runs in the store, paired verdicts, and how often these were
// false alarms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/false_alarms.h"
#include "reports/format.h"
#include "reports/history_figures.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

std::string RatioText(std::optional<double> ratio) {
  return ratio ? fmt::format("{:.3f}", *ratio) : "-";
}

// What was paired: two builds, or two methods of one.
std::optional<Table> PairedTable(const Results& results, Document& document) {
  Table table{"Paired times: candidate / base, with the 95 % interval of the median",
              {{"paired"},
               {"case"},
               {"base"},
               {"candidate"},
               {"verdict"},
               {"ratio", true},
               {"from", true},
               {"to", true},
               {"rounds kept", true},
               {"dropped", true}}};
  for (const BenchRow& row : results.benches) {
    if (row.kind != "paired") continue;
    const auto run = std::find_if(results.bench_runs.begin(), results.bench_runs.end(),
                                  [&row](const BenchRunRow& r) { return r.id == row.run_id; });
    if (run == results.bench_runs.end()) continue;
    const PairedRecord& paired = OrNone(row.record.paired);
    const std::string& base_method = paired.base_method;
    const bool methods = base_method != row.method;
    const JudgedRounds none{.ratio = NAN, .low = NAN, .high = NAN};
    const JudgedRounds judged = paired.confirmed.value_or(paired.screened.value_or(none));
    const MaybeNumber ratio = IfFinite(judged.ratio), low = IfFinite(judged.low),
                      high = IfFinite(judged.high);
    const auto count = [](std::optional<std::int64_t> n) {
      return NumberCell(n ? FormatCount(*n) : "-", n);
    };
    table.rows.push_back({{run->started},
                          {row.name},
                          {methods ? base_method : ShortCommit(OrNone(run->base).commit)},
                          {methods ? row.method : ShortCommit(run->build.commit)},
                          {methods ? "two methods" : row.verdict, nullptr,
                           !methods && row.verdict == "worse" ? "bad" : ""},
                          NumberCell(RatioText(ratio), ratio),
                          NumberCell(RatioText(low), low),
                          NumberCell(RatioText(high), high),
                          count(judged.kept),
                          count(judged.dropped)});
  }
  if (table.rows.empty()) return std::nullopt;
  table.csv = AddFile(document, AsCsv("bench_paired.csv", table));
  return table;
}

Paragraph FalseAlarmText(const Results& results) {
  const FalseAlarms count = CountFalseAlarms(results);
  if (count.verdicts == 0) {
    return {
        "No build has been paired with itself in this store, so the rate of false alarms on this "
        "machine is not known: `mbsbench bench --against` with its own executable measures it."};
  }
  std::string text = fmt::format(
      "False alarms: of {} of builds with themselves, {} flagged a change ({:.2g} %)",
      Plural(count.verdicts, "paired verdict"), count.alarms, 100. * count.alarms / count.verdicts);
  if (count.alarms == 0) {
    // Exact: (1 - p)^n = 0.05.
    text += fmt::format("; a rate above {:.2g} % is ruled out with 95 % confidence",
                        100 * (1 - std::pow(0.05, 1. / count.verdicts)));
  }
  text += fmt::format(
      ". {} looked changed in the screening and was not confirmed by fresh rounds; "
      "{} more had no verdict, because the machine was too busy.",
      count.screened_alarms, count.inconclusive);
  return {text};
}

}  // namespace

Section RegressionsSection(const Comparison& comparison, Document& document) {
  const Results& results = *comparison.results;
  Section section{"regressions", "Speed history", {}};
  if (results.benches.empty()) {
    section.blocks.push_back(Paragraph{
        "No benchmarks are in this store. `mbsbench bench` records the time and the instructions "
        "of small kernels, `mbsbench bench --against EXECUTABLE` pairs them with another build; "
        "repeated over builds they become the history drawn here."});
    return section;
  }
  const RunHistory history = HistoryOf({&results}, Content::kBenchmarks);
  if (!history.groups.empty()) {
    const std::string file = AddFile(document, HistoryFile("bench_history.csv", history));
    for (const HistoryGroup& group : history.groups) {
      for (const Tracked quantity : {Tracked::kTime, Tracked::kInstructions}) {
        if (auto figure = HistoryFigure(history, group, quantity, file, group.cases.size()))
          section.blocks.push_back(std::move(*figure));
      }
    }
  }
  if (auto paired = PairedTable(results, document)) section.blocks.push_back(std::move(*paired));
  section.blocks.push_back(FalseAlarmText(results));
  return section;
}

}  // namespace mbsbench::reports
