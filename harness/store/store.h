// The result store: one SQLite file, written by one process, read by the reports.
//
// schema.sql defines its tables, DOCUMENTS.md the JSON in them. One transaction per finished trial;
// a process killed at any moment leaves a store in which every finished trial is whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "harness/records/bench_record.h"
#include "harness/records/fields.h"
#include "harness/records/json_number.h"
#include "harness/records/method_record.h"
#include "harness/records/plan_record.h"
#include "harness/records/problem_record.h"
#include "harness/records/run_record.h"
#include "harness/records/trial_record.h"
#include "harness/store/store_error.h"

struct sqlite3;

namespace mbsbench {

// The version of the tables and documents; another one is refused.
inline constexpr char kSchemaVersion[] = "2";

// One problem by one method and one integrator, at one tolerance or step.
struct CellSetting {
  std::string problem = {};               // canonical name
  std::string method = {};                // canonical spec
  std::string integrator = {};            // key; empty for trials without integration
  MaybeNumber tolerance = {}, step = {};  // exactly one, where there is an integrator
  MaybeNumber end_time = {};              // [s]

  std::string Setting() const;   // "tol 1e-06", "h 0.001 s", nothing without either
  std::string Describe() const;  // "pendulum by kane-huston:general, dopri5 tol 1e-08"
  // The fields above, for comparison. The settings themselves are not compared by operators, which derived rows would inherit.
  auto CellFields() const {
    return std::tie(problem, method, integrator, tolerance, step, end_time);
  }
};

// The rows of the tables. Their fields are the columns; the journal of a shard holds the same fields as JSON.

struct RunRow {
  std::string id = {};        // random hexadecimal
  std::string started = {};   // UTC, ISO 8601
  std::string finished = {};  // empty while under way or killed
  std::string command = {};
  std::int64_t seed = 0;
  MachineRecord machine = {};
  BuildRecord build = {};

  MBSBENCH_FIELDS(id, started, (TextOrNull, finished), command, seed, machine, build)
};

struct ProblemRow {
  std::string run_id = {};
  std::string name = {};
  ProblemRecord record = {};

  MBSBENCH_FIELDS(run_id, name, (As, json, record))
};

struct MethodRow {
  std::string run_id = {};
  std::string spec = {};
  MethodRecord record = {};

  MBSBENCH_FIELDS(run_id, spec, (As, json, record))
};

// Progress of the commands of a run.
struct CoverageRow {
  std::string run_id = {};
  CoverageRecord document = {};

  MBSBENCH_FIELDS(run_id, (As, json, document))
};

struct TrialRow : CellSetting {
  std::string key = {};  // TrialKey of its identity
  std::string run_id = {};
  std::string kind = {};  // 'accuracy' | 'time' | 'evaluation' | 'agreement' | 'budget'
  int round = 0;
  std::string outcome = {}, reason = {};
  std::string finished = {};  // UTC
  MaybeNumber cpu_seconds = {}, wall_seconds = {};
  TrialRecord record = {};
  std::int64_t number = 0;  // in the order of storage; no column

  MBSBENCH_FIELDS(key, run_id, problem, method, integrator, tolerance, step, end_time, kind, round,
                  outcome, reason, finished, cpu_seconds, wall_seconds, record)
};

// The shard of a plan that a run represents.
struct ShardRow {
  std::string run_id = {};
  std::string plan = {};  // PlanHash
  int number = 1, shards = 1;
  std::string finished = {};  // empty while under way or killed
  PlanRecord document = {};

  MBSBENCH_FIELDS(run_id, plan, number, shards, (TextOrNull, finished), (As, json, document))
};

// One call of `mbsbench bench`.
struct BenchRunRow : RunRow {
  std::optional<BuildRecord> base = {};  // if two are paired

  MBSBENCH_FIELDS(id, started, (TextOrNull, finished), command, seed, machine, build, base)
};

struct BenchRow {
  std::string run_id = {};
  std::string kind = {};  // 'time' | 'paired'
  std::string name = {}, problem = {}, method = {}, what = {};
  std::string verdict = {};
  MaybeNumber cpu_seconds = {};
  BenchRecord record = {};

  MBSBENCH_FIELDS(run_id, kind, name, problem, method, what, verdict, cpu_seconds, record)
};

// Everything that determines a trial. Two trials with the same identity are repetitions, and only
// one is kept.
struct TrialIdentity : CellSetting {
  std::string kind;
  int round = 0;
  std::string what;  // distinguishes trials of one kind: the evaluated quantity, the seed of
                     // an agreement check
  std::string problem_hash;  // of the problem's parameters
  std::string binary_hash;   // of the executable, which includes formulations, data and compiler
  std::string machine;  // processor, number of cores, libraries; also the host for timed trials
};

// A name-based UUID (RFC 4122, version 5) of the identity: equal on every machine for equal
// identities.
std::string TrialKey(const TrialIdentity& identity);

std::string RandomId();  // 32 hexadecimal digits
std::string UtcNow();    // "2024-05-01T12:00:00Z"

// The URI with which SQLite (SQLITE_OPEN_URI) opens a store for reading. In a folder without write
// permission SQLite cannot create the shared memory of a WAL file. If no other process has created
// it, no process is writing, and the file is opened as immutable.
std::string UriToRead(const std::filesystem::path& path);

struct ImportCount {
  std::int64_t added = 0;    // new trials, and those that were damaged here
  std::int64_t present = 0;  // trials whose key already existed; of two results the later one stays
  std::vector<std::string> damaged = {};  // sentences: what was left out of the shard
};

class Store {
 public:
  // An existing store for reading; a run may be writing to it meanwhile.
  // `damaged` receives a sentence on each unreadable document. A trial whose record is unreadable is no result and is left out;
  // any other unreadable document is empty. Without `damaged`, which must outlive the store, it is an error.
  static Store OpenToRead(const std::filesystem::path& path,
                          std::vector<std::string>* damaged = nullptr);
  // A store for writing; created if there is none. Refused while another process writes to it.
  static Store OpenToWrite(const std::filesystem::path& path,
                           std::vector<std::string>* damaged = nullptr);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const std::filesystem::path& path() const { return path_; }

  // All later reads see the present state of the store.
  void HoldStill() const;

  std::vector<RunRow> Runs() const;  // oldest first
  std::vector<ProblemRow> Problems() const;
  std::vector<MethodRow> Methods() const;
  std::vector<CoverageRow> Coverages() const;
  // Trials in the order of problem, method, integrator, tolerance, step, kind, round, and in the
  // order of storage where all of these are equal.
  std::vector<TrialRow> Trials() const;
  // In the order of storage, without the series over the samples, which are most of the bytes of a store.
  void ForEachTrialWithoutSeries(const std::function<void(TrialRow&&)>& visit) const;
  // Whole records by the number of their trial; trials that no longer exist are absent.
  std::map<std::int64_t, TrialRecord> Records(const std::vector<std::int64_t>& numbers) const;
  std::optional<TrialRow> FindTrial(const std::string& key) const;
  // Trials whose key begins with `beginning`, and trials of one problem and method (names as stored).
  std::vector<TrialRow> TrialsWithKey(const std::string& beginning) const;
  std::vector<TrialRow> TrialsOf(const std::string& problem, const std::string& method) const;
  std::int64_t TrialCount() const;
  // Trials are numbered in the order of storage. Both functions return the number of the newest
  // trial, or 0 if there is none.
  std::int64_t NewestTrial() const;
  std::int64_t ForEachTrialAfter(std::int64_t number,
                                 const std::function<void(const TrialRow&)>& visit) const;
  std::vector<ShardRow> Shards() const;        // by plan and number
  std::vector<BenchRunRow> BenchRuns() const;  // oldest first
  std::vector<BenchRow> Benches() const;       // by run, in the order in which they were stored

  // One transaction. A row with the same primary key is updated. Throws StoreError if the file was deleted or replaced since
  // it was opened.
  template <class Row>
  void Put(const Row& row);

  // Writes a compact copy of this store to a new file; a run may write to the store meanwhile. A
  // copy that fails leaves no file.
  void ExportTo(const std::filesystem::path& path) const;
  // Throws StoreError if the file is damaged or truncated.
  void CheckWhole() const;
  // Adds the trials of the shard that this store lacks or holds damaged, in one transaction. Damaged ones are not added.
  ImportCount ImportFrom(const std::filesystem::path& shard);

 private:
  Store(std::filesystem::path path, std::vector<std::string>* damaged)
      : path_(std::move(path)), damaged_(damaged) {}
  void Check(int code, const char* doing) const;
  void Execute(const std::string& sql, const char* doing) const;
  void Connect(const std::string& file, int flags);
  void CheckSchema() const;
  void CheckPlace() const;
  void AddDamaged(const std::string& what) const;
  // The whole number that a query without parameters gives.
  std::int64_t Number(const std::string& sql, const char* doing) const;
  bool HasTable(const std::string& name) const;
  // Visits the rows of a table. `record` is the SQL expression for that column, `rest`
  // the SQL after the name of the table.
  template <class Row>
  void Visit(const std::string& record, const std::string& rest,
             const std::vector<std::string>& values, const std::function<void(Row&&)>& visit) const;
  // The rows under a condition, or all, in the order of the table.
  template <class Row>
  std::vector<Row> All(const std::string& condition = "",
                       const std::vector<std::string>& values = {}) const;

  class Statement;
  template <class Row>
  class RowReader;
  std::filesystem::path path_;
  std::vector<std::string>* damaged_ = nullptr;
  sqlite3* database_ = nullptr;
  int lock_ = -1;  // descriptor that holds the writer's lock
};

}  // namespace mbsbench
