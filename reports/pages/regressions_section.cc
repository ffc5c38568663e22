// Regressions: each benchmark over the runs in the store, and paired verdicts.
#include <algorithm>
#include <cmath>

#include "reports/pages/history_figures.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

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
    const auto run = std::ranges::find(results.bench_runs, row.run_id, &BenchRunRow::id);
    if (row.kind != "paired" || run == results.bench_runs.end()) continue;
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
    for (Figure& figure : HistoryFigures(history, file, "mbsbench bench"))
      section.blocks.push_back(std::move(figure));
  }
  AddTable(PairedTable(results), "bench_paired.csv", section, document);
  return section;
}

}  // namespace mbsbench::reports
