// The rows of a result store (harness/store/store.h) without series and trajectories, which are most of its bytes. A damaged
// record affects nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/health_record.h"
#include "harness/store/store.h"

namespace mbsbench::reports {

struct Run : RunRow {
  std::optional<CoverageRecord> coverage = {};
  // The commands of the shards of one plan that were joined into it, by their numbers; none of a single run.
  std::multimap<int, std::string> shards = {};
  Covered shard_count = {1, 1};  // of the plan, and joined into it
};

// Its record lacks series and trajectory, which ReadFullRecords gives.
using Trial = TrialRow;

struct Results {
  std::filesystem::path path;
  std::vector<Run> runs;             // by start, oldest first
  std::vector<ProblemRow> problems;  // in the order in which they were stored
  std::vector<MethodRow> methods;
  std::vector<Trial> trials;
  std::vector<BenchRunRow> bench_runs;  // oldest first
  std::vector<BenchRow> benches;
  std::vector<std::string> warnings;      // records that could not be read, a sentence each
  std::optional<HealthCard> health = {};  // of a file beside the store
};

// Throws ReportError. All rows come from one snapshot, also while a run is writing.
Results ReadResults(const std::filesystem::path& store);

// Throws ReportError.
HealthCard ReadHealthCard(const std::filesystem::path& file);

// Whole records of some rows, with series and trajectories, by row. A record that cannot be read is empty; a row that is
// gone is absent.
std::map<std::int64_t, TrialRecord> ReadFullRecords(const std::filesystem::path& store,
                                                    const std::vector<std::int64_t>& rows);

}  // namespace mbsbench::reports
