#include "reports/false_alarms.h"

#include <algorithm>

namespace mbsbench::reports {

namespace {

const BenchRunRow* FindRun(const Results& results, const std::string& id) {
  const auto found = std::find_if(results.bench_runs.begin(), results.bench_runs.end(),
                                  [&id](const BenchRunRow& run) { return run.id == id; });
  return found == results.bench_runs.end() ? nullptr : &*found;
}

}  // namespace

FalseAlarms CountFalseAlarms(const Results& results) {
  FalseAlarms count;
  for (const BenchRow& row : results.benches) {
    const BenchRunRow* run = FindRun(results, row.run_id);
    if (row.kind != "paired" || run == nullptr || row.verdict == "changed") continue;
    const std::string hash = run->build.binary_hash;
    if (hash.empty() || hash != OrNone(run->base).binary_hash ||
        OrNone(row.record.paired).base_method != row.method)
      continue;
    if (row.verdict == "inconclusive") {
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

}  // namespace mbsbench::reports
