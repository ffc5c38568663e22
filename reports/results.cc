#include "reports/results.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <memory>

#include "harness/store/store.h"
#include "reports/benches.h"
#include "reports/report.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kSchemaVersion = "1";

[[noreturn]] void Fail(const std::filesystem::path& store, const std::string& what) {
  throw ReportError("result store " + store.string() + " " + what);
}

// A read-only connection, and statements on it that turn SQLite's complaints into our sentence.
class Database {
 public:
  explicit Database(const std::filesystem::path& path) : path_(path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
      Fail(path, "does not exist; make one by 'mbsbench run'");
    if (!std::filesystem::is_regular_file(path, error))
      Fail(path, "is not a file; name the SQLite file of a run");
    if (std::filesystem::file_size(path, error) == 0) {
      Fail(path, "is empty: no run has written into it; make one by 'mbsbench run'");
    }
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(UriToRead(path).c_str(), &handle,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    handle_.reset(handle);
    Check(code);
    sqlite3_busy_timeout(handle, 5000);
  }

  void Check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    const std::string message = sqlite3_errmsg(handle_.get());
    if (code == SQLITE_NOTADB) Fail(path_, "is not an SQLite file; name the file of a run");
    if (code == SQLITE_CORRUPT) {
      Fail(path_,
           "is damaged or only half written (" + message + "); restore a copy, or run again");
    }
    Fail(path_, "cannot be read (" + message + ")");
  }

  sqlite3* handle() const { return handle_.get(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

class Query {
 public:
  Query(const Database& database, const char* sql) : database_(database) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(database.handle(), sql, -1, &statement, nullptr);
    statement_.reset(statement);
    database.Check(code);
  }
  bool Next() {
    const int code = sqlite3_step(statement_.get());
    database_.Check(code);
    return code == SQLITE_ROW;
  }
  void Restart(std::int64_t value) {
    sqlite3_reset(statement_.get());
    database_.Check(sqlite3_bind_int64(statement_.get(), 1, value));
  }
  std::string Text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    return text
               ? std::string(
                     text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)))
               : "";
  }
  std::optional<double> Real(int column) const {
    if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
    const double value = sqlite3_column_double(statement_.get(), column);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }
  std::int64_t Integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

bool HasTable(const Database& database, const char* table) {
  Query query(database,
              fmt::format("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '{}'", table)
                  .c_str());
  return query.Next();
}

void CheckSchema(const Database& database) {
  if (!HasTable(database, "meta"))
    Fail(database.path(), "is an SQLite file but holds no results of mbsbench");
  Query version(database, "SELECT value FROM meta WHERE key = 'schema_version'");
  const std::string found = version.Next() ? version.Text(0) : "none";
  if (found != kSchemaVersion) {
    Fail(database.path(), fmt::format("has schema version {}, but this program reads version {}; "
                                      "report on it with the program that made it, or run again",
                                      found, kSchemaVersion));
  }
  for (const char* table : {"run", "problem", "method", "trial"}) {
    if (!HasTable(database, table)) {
      Fail(database.path(),
           fmt::format("is only half written: its table '{}' is missing; run again", table));
    }
  }
}

// A document that is no JSON object is replaced by an empty one, and said so.
Json ParsedDocument(Json parsed, const std::string& owner, std::vector<std::string>& warnings) {
  if (parsed.is_object()) return parsed;
  warnings.push_back("The document of " + owner +
                     " could not be read; what it holds is missing from this report.");
  return Json::object();
}

Trial ReadTrial(const Query& row, std::vector<std::string>& warnings) {
  Trial trial;
  trial.row = row.Integer(0);
  trial.run = row.Text(1);
  trial.problem = row.Text(2);
  trial.method = row.Text(3);
  trial.integrator = row.Text(4);
  trial.tolerance = row.Real(5);
  trial.step = row.Real(6);
  trial.end_time = row.Real(7);
  trial.kind = row.Text(8);
  trial.round = static_cast<int>(row.Integer(9));
  trial.outcome = row.Text(10);
  trial.reason = row.Text(11);
  trial.cpu_seconds = row.Real(12);
  trial.wall_seconds = row.Real(13);
  trial.key = row.Text(15);
  trial.record = ParsedDocument(Json::parse(row.Text(14), nullptr, false),
                                fmt::format("the {} trial of {} by {} {}", trial.kind,
                                            trial.problem, trial.method, trial.integrator),
                                warnings);
  return trial;
}

std::vector<PlanShard> ReadShards(const Database& database, std::vector<std::string>& warnings) {
  std::vector<PlanShard> shards;
  if (!HasTable(database, "plan_shard")) return shards;
  Query rows(database,
             "SELECT run_id, plan, number, shards, finished, json FROM plan_shard ORDER BY plan, "
             "number, rowid");
  while (rows.Next()) {
    PlanShard shard{rows.Text(0),
                    rows.Text(1),
                    static_cast<int>(rows.Integer(2)),
                    static_cast<int>(rows.Integer(3)),
                    rows.Text(4),
                    {}};
    const Json document = ParsedDocument(Json::parse(rows.Text(5), nullptr, false),
                                         "the plan of run " + shard.run, warnings);
    for (const Json& problem : Field(document, "problems"))
      shard.problems.push_back(reports::Text(problem, "name"));
    shards.push_back(std::move(shard));
  }
  return shards;
}

void ReadBenches(const Database& database, Results& results) {
  if (!HasTable(database, "bench_run") || !HasTable(database, "bench")) return;
  const auto document = [&results](const std::string& text, const std::string& owner) {
    Json parsed = Json::parse(text, nullptr, false);
    return parsed.is_null() ? parsed : ParsedDocument(std::move(parsed), owner, results.warnings);
  };
  Query runs(database,
             "SELECT id, started, command, machine, build, base FROM bench_run ORDER BY started, "
             "rowid");
  while (runs.Next()) {
    const std::string owner = "the benchmarks of " + runs.Text(1);
    results.bench_runs.push_back({runs.Text(0), runs.Text(1), runs.Text(2),
                                  document(runs.Text(3), owner), document(runs.Text(4), owner),
                                  document(runs.Text(5), owner)});
  }
  Query rows(database,
             "SELECT run_id, kind, name, method, verdict, cpu_seconds, record FROM bench ORDER BY "
             "rowid");
  while (rows.Next()) {
    results.benches.push_back({rows.Text(0), rows.Text(1), rows.Text(2), rows.Text(3), rows.Text(4),
                               rows.Real(5),
                               document(rows.Text(6), "the benchmark " + rows.Text(2))});
  }
}

}  // namespace

Results ReadResults(const std::filesystem::path& store) {
  const Database database(store);
  Query(database, "BEGIN").Next();
  CheckSchema(database);
  Results results;
  results.path = store;

  Query runs(database,
             "SELECT id, started, finished, command, seed, machine, build FROM run ORDER BY "
             "started, rowid");
  while (runs.Next()) {
    const std::string owner = "run " + runs.Text(0);
    results.runs.push_back(
        {runs.Text(0), runs.Text(1), runs.Text(2), runs.Text(3), runs.Integer(4),
         ParsedDocument(Json::parse(runs.Text(5), nullptr, false), owner, results.warnings),
         ParsedDocument(Json::parse(runs.Text(6), nullptr, false), owner, results.warnings)});
  }
  if (HasTable(database, "coverage")) {
    Query coverages(database, "SELECT run_id, json FROM coverage");
    while (coverages.Next()) {
      for (Run& run : results.runs) {
        if (run.id == coverages.Text(0))
          run.coverage = ParsedDocument(Json::parse(coverages.Text(1), nullptr, false),
                                        "the coverage of run " + run.id, results.warnings);
      }
    }
  }
  ReadBenches(database, results);
  if (results.runs.empty() && results.bench_runs.empty()) {
    Fail(store, "holds no run and no benchmark yet; make one by 'mbsbench run --store " +
                    store.string() + "' or 'mbsbench bench'");
  }

  for (auto [sql, rows] :
       {std::pair{"SELECT run_id, name, json FROM problem ORDER BY rowid", &results.problems},
        std::pair{"SELECT run_id, spec, json FROM method ORDER BY rowid", &results.methods}}) {
    Query query(database, sql);
    while (query.Next()) {
      rows->push_back({query.Text(0), query.Text(1),
                       ParsedDocument(Json::parse(query.Text(2), nullptr, false), query.Text(1),
                                      results.warnings)});
    }
  }

  // Series and trajectories are most of a store's bytes; ReadFullRecords gets the few needed.
  Query trials(
      database,
      "SELECT rowid, run_id, problem, method, integrator, tolerance, step, end_time, kind, round, "
      "outcome, reason, cpu_seconds, wall_seconds, CASE WHEN json_valid(record) THEN "
      "json_remove(record, '$.trajectory', '$.times', '$.error_series', '$.position_drift', "
      "'$.velocity_drift', '$.energy_drift', '$.charted') ELSE record END, key FROM trial ORDER BY "
      "rowid");
  while (trials.Next()) results.trials.push_back(ReadTrial(trials, results.warnings));
  JoinShards(ReadShards(database, results.warnings), results);
  return results;
}

std::map<std::int64_t, Json> ReadFullRecords(const std::filesystem::path& store,
                                             const std::vector<std::int64_t>& rows) {
  const Database database(store);
  Query query(database, "SELECT record FROM trial WHERE rowid = ?");
  std::map<std::int64_t, Json> records;
  for (std::int64_t row : rows) {
    query.Restart(row);
    if (query.Next()) records[row] = Json::parse(query.Text(0), nullptr, false);
  }
  return records;
}

}  // namespace mbsbench::reports
