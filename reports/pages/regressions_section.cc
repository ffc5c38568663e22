// Regressions: each benchmark over the runs in the store, paired verdicts and their rate of false alarms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/format/format.h"
#include "reports/pages/history_figures.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

const BenchRunRow* FindRun(const Results& results, const std::string& id) {
  const auto found = std::ranges::find(results.bench_runs, id, &BenchRunRow::id);
  return found == results.bench_runs.end() ? nullptr : &*found;
}

// A row for each pair of two builds, or of two methods of one build.
Table PairedTable(const Results& results) {
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
    const BenchRunRow* run = row.kind == "paired" ? FindRun(results, row.run_id) : nullptr;
    if (run == nullptr) continue;
    const PairedRecord& paired = OrNone(row.record.paired);
    const std::string& base_method = paired.base_method;
    const bool methods = base_method != row.method;
    const JudgedRounds none{.ratio = NAN, .low = NAN, .high = NAN};
    const JudgedRounds judged = paired.confirmed.value_or(paired.screened.value_or(none));
    table.rows.push_back({{run->started},
                          {row.name},
                          {methods ? base_method : ShortCommit(OrNone(run->base).commit)},
                          {methods ? row.method : ShortCommit(run->build.commit)},
                          {methods ? "two methods" : row.verdict, nullptr,
                           !methods && row.verdict == "worse" ? "bad" : ""},
                          DecimalsCell(IfFinite(judged.ratio), 3),
                          DecimalsCell(IfFinite(judged.low), 3),
                          DecimalsCell(IfFinite(judged.high), 3),
                          judged.kept,
                          judged.dropped});
  }
  return table;
}

// Verdicts on pairs of an executable with itself. Every change that they flag is a false alarm.
struct FalseAlarms {
  int verdicts = 0, alarms = 0;
  int screened_alarms = 0;  // not confirmed by fresh rounds
  int inconclusive = 0;     // not among the verdicts
};
FalseAlarms CountFalseAlarms(const Results& results) {
  FalseAlarms count;
  for (const BenchRow& row : results.benches) {
    const BenchRunRow* run = FindRun(results, row.run_id);
    if (row.kind != "paired" || run == nullptr || row.verdict == "changed") continue;
    const std::string hash = run->build.binary_hash;
    if (hash.empty() || hash != OrNone(run->base).binary_hash ||
        OrNone(row.record.paired).base_method != row.method)
      continue;
    if (row.verdict == kInconclusive) {
      ++count.inconclusive;
      continue;
    }
    ++count.verdicts;
    if (row.verdict != "alike")
      ++count.alarms;
    else if (OrNone(row.record.paired).confirmed)
      ++count.screened_alarms;
  }
  return count;
}

Paragraph FalseAlarmText(const Results& results) {
  const FalseAlarms count = CountFalseAlarms(results);
  if (count.verdicts == 0) {
    return {
        "No build has been paired with itself in this store, so the rate of false alarms on this "
        "machine is unknown. `mbsbench bench --against` with its own executable measures it."};
  }
  std::string text = fmt::format(
      "False alarms: of {} of builds with themselves, {} flagged a change ({:.2g} %)",
      Plural(count.verdicts, "paired verdict"), count.alarms, 100. * count.alarms / count.verdicts);
  if (count.alarms == 0) {
    // Exact: (1 - p)^n = 0.05.
    text += fmt::format("; a rate above {:.2g} % is ruled out with 95 % confidence",
                        100 * (1 - std::pow(0.05, 1. / count.verdicts)));
  }
  text += ".";
  if (count.screened_alarms > 0)
    text += fmt::format(" Fresh rounds refuted {} that the screening flagged.",
                        Plural(count.screened_alarms, "other change"));
  if (count.inconclusive > 0)
    text += fmt::format(" {} had no verdict because the machine was too busy.",
                        Plural(count.inconclusive, "other pair"));
  return {text};
}

}  // namespace

Section RegressionsSection(const Comparison& comparison, Document& document) {
  const Results& results = *comparison.results;
  Section section{"speed-history", "Speed history", {}};
  if (results.benches.empty()) return section;
  RunHistory history = HistoryOf({&results}, Content::kBenchmarks);
  for (const ArchivedRun& run : comparison.archived)
    AddArchivedCounts(run.name, *run.results, history);
  if (!history.groups.empty()) {
    const std::string file = AddFile(document, HistoryFile("bench_history.csv", history));
    for (Figure& figure :
         HistoryFigures(history, file, "mbsbench bench", std::numeric_limits<std::size_t>::max()))
      section.blocks.push_back(std::move(figure));
  }
  AddTable(PairedTable(results), "bench_paired.csv", section, document);
  section.blocks.push_back(FalseAlarmText(results));
  return section;
}

}  // namespace mbsbench::reports
