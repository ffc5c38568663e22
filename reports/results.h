// The rows of a result store (harness/store/store.h) as the report needs them: without the series
// and trajectories that are most of its bytes, and so that a damaged record costs only itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/bench_record.h"
#include "harness/records/plan_record.h"
#include "harness/records/trial_record.h"
#include "reports/json_fields.h"

namespace mbsbench::reports {

struct Run {
  std::string id, started, finished;  // `finished` is empty while under way or interrupted
  std::string command;
  std::int64_t seed = 0;
  Json machine, build;
  std::optional<CoverageRecord> coverage = {};  // older stores do not say
};

struct Trial {
  std::int64_t row = 0;
  std::string key;
  std::string run, problem, method, integrator, kind, outcome, reason;
  std::optional<double> tolerance, step, end_time, cpu_seconds, wall_seconds;
  int round = 0;
  TrialRecord record;  // without its series and trajectory, which ReadFullRecords has
};

struct NamedDocument {
  std::string run, name;
  Json document;
};

// One call of 'mbsbench bench', and what it found of each case.
struct BenchRun {
  std::string id, started, command;
  Json machine, build, base;  // `base` is empty unless two builds were paired
};
struct BenchRow {
  std::string run, kind, name, method, verdict;
  std::optional<double> cpu_seconds;
  BenchRecord record;
};

struct Results {
  std::filesystem::path path;
  std::vector<Run> runs;                // by start, oldest first
  std::vector<NamedDocument> problems;  // in the order in which they were stored
  std::vector<NamedDocument> methods;
  std::vector<Trial> trials;
  std::vector<BenchRun> bench_runs;  // oldest first; none in stores from before there were any
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
