// The result store: one SQLite file, written by one process, read by the reports.
//
// Its tables are schema.sql, the JSON in them DOCUMENTS.md. One transaction per finished trial; a
// process killed at any moment leaves a store in which every finished trial is whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

struct sqlite3;

namespace mbsbench {

using Json = nlohmann::ordered_json;

// What is wrong with a store: one sentence that reaches the user as it is.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Another process holds the store: nothing is wrong with it.
class StoreInUse : public StoreError {
 public:
  using StoreError::StoreError;
};

struct RunRow {
  std::string id;        // random hexadecimal
  std::string started;   // UTC, ISO 8601
  std::string finished;  // empty while under way or killed
  std::string command;
  std::int64_t seed = 0;
  Json machine, build;
};

struct ProblemRow {
  std::string run_id;
  std::string name;
  Json document;  // ProblemDocument
};

struct MethodRow {
  std::string run_id;
  std::string spec;
  Json document;  // MethodDocument
};

// How far the commands of a run have come.
struct CoverageRow {
  std::string run_id;
  Json document;  // CoverageDocument
};

struct TrialRow {
  std::string key;  // TrialKey of its identity
  std::string run_id;
  std::string problem, method, integrator;
  std::optional<double> tolerance, step, end_time;
  std::string kind;  // 'accuracy' | 'time' | 'evaluation' | 'agreement'
  int round = 0;
  std::string outcome, reason;
  std::string finished;  // UTC
  std::optional<double> cpu_seconds, wall_seconds;
  Json record;  // TrialDocument
};

// The part of a plan that a run is.
struct ShardRow {
  std::string run_id;
  std::string plan;  // PlanHash
  int number = 1, shards = 1;
  std::string finished;  // empty while under way or killed
  Json document;         // PlanDocument
};

// One call of `mbsbench bench`.
struct BenchRunRow {
  std::string id;  // random hexadecimal
  std::string started, finished;
  std::string command;
  std::int64_t seed = 0;
  Json machine, build;
  Json base = nullptr;  // build of the base where two are paired
};

struct BenchRow {
  std::string run_id;
  std::string kind;  // 'time' | 'paired'
  std::string name, problem, method, what;
  std::string verdict;
  std::optional<double> cpu_seconds;
  Json record;  // BenchDocument
};

// Everything that determines a trial. Two trials of one identity are repetitions of each other, so
// that only one is kept.
struct TrialIdentity {
  std::string problem, method, integrator;
  std::optional<double> tolerance, step, end_time;
  std::string kind;
  int round = 0;
  std::string what;  // tells trials of one kind apart: what an evaluation trial evaluates, the seed
                     // of an agreement check
  std::string problem_hash;  // of its parameters
  std::string binary_hash;   // of the executable: formulation, data and compiler are in it
  std::string machine;       // processor, number of cores, libraries; of timed trials the host too
};

// A name-based UUID (RFC 4122, version 5) of the identity: equal on every machine for equal
// identities.
std::string TrialKey(const TrialIdentity& identity);

std::string RandomId();  // 32 hexadecimal digits
std::string UtcNow();    // "2024-05-01T12:00:00Z"

// A store as SQLite (with SQLITE_OPEN_URI) is to open it for reading. In a folder that cannot be written
// there is no room for the shared memory of a WAL file; where nobody else has made it, nobody writes,
// and the file is read as one that does not change.
std::string UriToRead(const std::filesystem::path& path);

struct ImportCount {
  std::int64_t added = 0;    // trials that were not there yet
  std::int64_t present = 0;  // trials whose key was there already; they are left as they are
};

class Store {
 public:
  // An existing store for reading; a run may be writing to it meanwhile.
  static Store OpenToRead(const std::filesystem::path& path);
  // A store for writing, made when there is none. Refused while another process writes to it.
  static Store OpenToWrite(const std::filesystem::path& path);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const std::filesystem::path& path() const { return path_; }

  std::vector<RunRow> Runs() const;  // oldest first
  std::vector<ProblemRow> Problems() const;
  std::vector<MethodRow> Methods() const;
  std::vector<CoverageRow> Coverages() const;  // none of runs by older versions
  // Trials in the order of problem, method, integrator, tolerance, step, kind, round, and those that
  // are alike in all of these as they were stored. Records can be large: the second form holds one
  // row at a time.
  std::vector<TrialRow> Trials() const;
  void ForEachTrial(const std::function<void(const TrialRow&)>& visit) const;
  std::optional<TrialRow> FindTrial(const std::string& key) const;
  // Those whose key begins with `beginning`, and those of one problem and method (as stored).
  std::vector<TrialRow> TrialsWithKey(const std::string& beginning) const;
  std::vector<TrialRow> TrialsOf(const std::string& problem, const std::string& method) const;
  std::int64_t TrialCount() const;
  // Trials are numbered as they are stored. Both give the number of the newest one, 0: there is none.
  std::int64_t NewestTrial() const;
  std::int64_t ForEachTrialAfter(std::int64_t number,
                                 const std::function<void(const TrialRow&)>& visit) const;
  // Accuracy trials of one run by problem.
  std::map<std::string, std::int64_t> CellsOf(const std::string& run_id) const;
  std::vector<ShardRow> Shards() const;        // by plan and number
  std::vector<BenchRunRow> BenchRuns() const;  // oldest first
  std::vector<BenchRow> Benches() const;       // by run, in the order in which they were stored

  // Each of these is one transaction; a row with the same primary key is replaced. Throws StoreError
  // where the file was deleted or replaced since it was opened.
  void Put(const RunRow& run);
  void Put(const ProblemRow& problem);
  void Put(const MethodRow& method);
  void Put(const CoverageRow& coverage);
  void Put(const TrialRow& trial);
  void Put(const ShardRow& shard);
  void Put(const BenchRunRow& run);
  void Put(const BenchRow& bench);

  // A compact copy of this store in a new file, which may be made while a run writes. A copy that
  // cannot be finished leaves no file.
  void ExportTo(const std::filesystem::path& path) const;
  // Throws StoreError where the file is damaged or was cut short.
  void CheckWhole() const;
  // Adds what the shard holds and this store does not, in one transaction.
  ImportCount ImportFrom(const std::filesystem::path& shard);

 private:
  Store() = default;
  void Check(int code, const char* doing) const;
  void Execute(const std::string& sql, const char* doing) const;
  void CheckSchema() const;
  void CheckPlace() const;
  bool HasTable(const char* name, const char* schema = "main") const;
  std::vector<TrialRow> Where(const std::string& condition,
                              const std::vector<std::string>& values) const;

  class Statement;
  std::filesystem::path path_;
  sqlite3* database_ = nullptr;
  int lock_ = -1;  // descriptor that holds the writer's lock
};

}  // namespace mbsbench
