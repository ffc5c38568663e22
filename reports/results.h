// The rows of a result store (harness/store/store.h) as the report needs them: without the series
// and trajectories that are most of its bytes, and so that a damaged record costs only itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/store/store.h"
#include "reports/json_fields.h"

namespace mbsbench::reports {

struct Run : RunRow {
  std::optional<CoverageRecord> coverage = {};  // older stores do not say
};

// Their records without series and trajectory, which ReadFullRecords has.
using Trial = TrialRow;

struct Results {
  std::filesystem::path path;
  std::vector<Run> runs;             // by start, oldest first
  std::vector<ProblemRow> problems;  // in the order in which they were stored
  std::vector<MethodRow> methods;
  std::vector<Trial> trials;
  std::vector<BenchRunRow> bench_runs;  // oldest first; none in stores from before there were any
  std::vector<BenchRow> benches;
  std::vector<std::string> warnings;  // what could not be read, a sentence each
};

// Throws ReportError. All rows come from one snapshot, also while a run is writing.
Results ReadResults(const std::filesystem::path& store);

// The whole records of some rows, series and trajectories included: by row, empty where one
// cannot be read. Rows that are no longer there are absent.
std::map<std::int64_t, TrialRecord> ReadFullRecords(const std::filesystem::path& store,
                                                    const std::vector<std::int64_t>& rows);

}  // namespace mbsbench::reports
