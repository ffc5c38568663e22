#include "reports/analysis/results.h"

#include <fstream>
#include <map>

#include "harness/records/json_codec.h"
#include "reports/analysis/benches.h"
#include "reports/format/report_error.h"

namespace mbsbench::reports {

Results ReadResults(const std::filesystem::path& path) {
  Results results;
  results.path = path;
  const Store store = Store::OpenToRead(path, &results.warnings);
  store.HoldStill();
  std::map<std::string, std::optional<CoverageRecord>> coverages;  // by run
  for (const CoverageRow& row : store.Coverages()) coverages[row.run_id] = row.document;
  for (RunRow& row : store.Runs()) {
    Run& run = results.runs.emplace_back(Run{std::move(row)});
    run.coverage = coverages[run.id];
  }
  results.bench_runs = store.BenchRuns();
  results.benches = store.Benches();
  if (results.runs.empty() && results.bench_runs.empty()) {
    throw ReportError("the store '" + path.string() +
                      "' holds no run and no benchmark yet; make one by 'mbsbench run --store " +
                      path.string() + "' or 'mbsbench bench'");
  }
  results.problems = store.Problems();
  results.methods = store.Methods();
  store.ForEachTrialWithoutSeries(
      [&results](Trial&& trial) { results.trials.push_back(std::move(trial)); });
  JoinShards(store, results);
  return results;
}

HealthCard ReadHealthCard(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw ReportError("'" + file.string() + "' cannot be read.");
  HealthCard card;
  if (!mbsbench::Read(Json::parse(in, nullptr, false), card) || card.rows.empty())
    throw ReportError("'" + file.string() +
                      "' holds no health card; 'mbsbench health --json' prints one.");
  return card;
}

std::map<std::int64_t, TrialRecord> ReadFullRecords(const std::filesystem::path& store,
                                                    const std::vector<std::int64_t>& rows) {
  std::vector<std::string> ignored;
  return Store::OpenToRead(store, &ignored).Records(rows);
}

}  // namespace mbsbench::reports
