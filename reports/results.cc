#include "reports/results.h"

#include <map>

#include "harness/store/store.h"
#include "reports/benches.h"
#include "reports/report.h"

namespace mbsbench::reports {

namespace {

template <typename Read>
auto Reading(Read&& read) {
  try {
    return read();
  } catch (const StoreError& error) {
    throw ReportError(error.what());
  }
}

Results Read(const std::filesystem::path& path) {
  Results results;
  results.path = path;
  const Store store = Store::OpenToRead(path, &results.warnings);
  store.HoldStill();
  std::map<std::string, std::optional<CoverageRecord>> coverages;  // by run
  for (const CoverageRow& row : store.Coverages()) coverages[row.run_id] = row.document;
  for (const RunRow& row : store.Runs()) {
    results.runs.push_back({row.id, row.started, row.finished, row.command, row.seed, row.machine,
                            row.build, coverages[row.id]});
  }
  for (const BenchRunRow& row : store.BenchRuns())
    results.bench_runs.push_back(
        {row.id, row.started, row.command, row.machine, row.build, row.base});
  for (const mbsbench::BenchRow& row : store.Benches()) {
    results.benches.push_back({row.run_id, row.kind, row.name, row.method, row.verdict,
                               IfFinite(row.cpu_seconds), row.record});
  }
  if (results.runs.empty() && results.bench_runs.empty()) {
    throw ReportError("the store '" + path.string() +
                      "' holds no run and no benchmark yet; make one by 'mbsbench run --store " +
                      path.string() + "' or 'mbsbench bench'");
  }
  for (const ProblemRow& row : store.Problems())
    results.problems.push_back({row.run_id, row.name, row.document});
  for (const MethodRow& row : store.Methods())
    results.methods.push_back({row.run_id, row.spec, row.document});
  store.ForEachTrialWithoutSeries([&results](TrialRow&& row) {
    Trial& trial = results.trials.emplace_back();
    trial.row = row.number;
    trial.key = std::move(row.key);
    trial.run = std::move(row.run_id);
    trial.problem = std::move(row.problem);
    trial.method = std::move(row.method);
    trial.integrator = std::move(row.integrator);
    trial.kind = std::move(row.kind);
    trial.outcome = std::move(row.outcome);
    trial.reason = std::move(row.reason);
    trial.tolerance = IfFinite(row.tolerance);
    trial.step = IfFinite(row.step);
    trial.end_time = IfFinite(row.end_time);
    trial.cpu_seconds = IfFinite(row.cpu_seconds);
    trial.wall_seconds = IfFinite(row.wall_seconds);
    trial.round = row.round;
    trial.record = std::move(row.record);
  });
  JoinShards(store.Shards(), results);
  return results;
}

}  // namespace

Results ReadResults(const std::filesystem::path& store) {
  return Reading([&] { return Read(store); });
}

std::map<std::int64_t, TrialRecord> ReadFullRecords(const std::filesystem::path& store,
                                                    const std::vector<std::int64_t>& rows) {
  return Reading([&] {
    std::vector<std::string> ignored;
    return Store::OpenToRead(store, &ignored).Records(rows);
  });
}

}  // namespace mbsbench::reports
