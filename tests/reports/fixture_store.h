// Result stores made for tests, row by row, in the schema of harness/store.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

// A namespace of their own: the linker would merge these with classes of the same name in the
// store.
namespace mbsbench::report_tests {

using Json = nlohmann::json;

inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << "cannot read " << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

// An empty folder of this test alone, removed with it.
class TestFolder {
 public:
  TestFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            fmt::format("mbsbench-{}-{}-{}", test->test_suite_name(), test->name(), getpid());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

struct TrialRow {
  std::string problem = "", method = "", integrator = "", kind = "accuracy";
  std::optional<double> tolerance = {}, step = {};
  int round = 0;
  std::string outcome = "ok", reason = "";
  std::optional<double> cpu_seconds = {};
  std::string record = "{}";
  std::string run = "run1";
};

class FixtureStore {
 public:
  explicit FixtureStore(const std::filesystem::path& path) : path_(path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &database_), SQLITE_OK);
    Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF");
    Execute(ReadFile(std::filesystem::path(MBSBENCH_SOURCE_DIR) / "harness/store/schema.sql"));
    SetSchemaVersion("2");
  }
  ~FixtureStore() { sqlite3_close(database_); }
  FixtureStore(const FixtureStore&) = delete;
  FixtureStore& operator=(const FixtureStore&) = delete;

  const std::filesystem::path& path() const { return path_; }

  void SetSchemaVersion(const std::string& version) {
    Insert("INSERT OR REPLACE INTO meta VALUES (?, ?)", "schema_version", version);
  }
  void AddRun(const std::string& id = "run1", const std::string& started = "2025-01-01T00:00:00Z",
              const std::string& cpu = "Test CPU", bool finished = true) {
    const Json machine = {{"cpu", cpu}, {"cores", 2}};
    const Json build = {{"version", "0.1.0"}, {"commit", "abcdef0123"}, {"binary_hash", "h1"}};
    Insert("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?)", id, started,
           finished ? std::optional<std::string>("2025-01-01T01:00:00Z") : std::nullopt,
           "mbsbench run --quick", 7, machine.dump(), build.dump());
  }
  // How far run1 came; `open`: [problem, method, integrator] of curves that are not complete, with "time" as a fourth where only
  // times are lacking.
  void AddCoverage(const Json& curves, const std::vector<double>& targets = {}) {
    Json open = Json::array();
    for (const Json& curve : curves) {
      open.push_back({{"problem", curve[0]},
                      {"method", curve[1]},
                      {"integrator", curve[2]},
                      {"target", nullptr},
                      {"lacks_cells", curve.size() == 3}});
    }
    const auto share = [](int done, int planned) {
      return Json{{"done", done}, {"planned", planned}};
    };
    const Json document = {
        {"families", share(1, 3)},
        {"problems", share(1, 5)},
        {"methods", share(2, 2)},
        {"items", share(3, 1234)},
        {"passes",
         {{{"title", "first"}, {"planned", 10}, {"done", 10}, {"seconds_left", 0}},
          {{"title", "second"}, {"planned", 2000}, {"done", 7}, {"seconds_left", 1500}}}},
        {"open", open},
        {"targets", targets}};
    Insert("INSERT INTO coverage VALUES (?, ?)", "run1", document.dump());
  }
  void AddProblem(const std::string& name, Json document = Json::object(),
                  const std::string& run = "run1") {
    document["name"] = name;
    Insert("INSERT INTO problem VALUES (?, ?, ?)", run, name, document.dump());
  }
  void AddMethod(const std::string& spec, const Json& limits = Json::array()) {
    Insert("INSERT INTO method VALUES (?, ?, ?)", "run1", spec,
           Json{{"spec", spec}, {"form", "ode"}, {"limits", limits}}.dump());
  }
  void Add(const TrialRow& row) {
    Insert("INSERT INTO trial VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
           fmt::format("key{}", ++keys_), row.run, row.problem, row.method, row.integrator,
           row.tolerance, row.step, 1.0, row.kind, row.round, row.outcome, row.reason,
           "2025-01-01T00:10:00Z", row.cpu_seconds, row.cpu_seconds, row.record);
  }
  void AddBenchRun(const std::string& id, const std::string& commit, const Json& base = nullptr,
                   const std::string& cpu = "Test CPU") {
    const Json build = {{"commit", commit},
                        {"compiler", "GNU 12"},
                        {"flags", "-O3"},
                        {"binary_hash", "hash of " + commit}};
    Insert("INSERT INTO bench_run VALUES (?, ?, ?, ?, ?, ?, ?, ?)", id,
           "2025-01-01T00:00:0" + id + "Z", "2025-01-01T01:00:00Z", "mbsbench bench", 1,
           Json{{"cpu", cpu}}.dump(), build.dump(), base.dump());
  }
  void AddBench(const std::string& run, const std::string& kind, const std::string& problem,
                const std::string& method, const std::string& verdict,
                std::optional<double> cpu_seconds, const Json& record) {
    Insert("INSERT INTO bench VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", run, kind,
           problem + " " + method + " accelerations", problem, method, "accelerations", verdict,
           cpu_seconds, record.dump());
  }
  // A cell that finished: one accuracy trial and one timed round per CPU time, which belong to `target` if it is not 0.
  void AddCell(TrialRow row, double error, const std::vector<double>& cpu_seconds,
               Json record = Json::object(), double target = 0) {
    record["error"] = {{"max", error}, {"end", error}, {"rms", error}, {"velocity_max", nullptr}};
    if (!record.contains("counters")) record["counters"] = {{"steps", 100}, {"evaluations", 400}};
    record["command"] = "mbsbench solve " + row.problem + " " + row.method;
    row.record = record.dump();
    Add(row);
    row.kind = "time";
    row.outcome = "ok";
    row.reason = "";
    row.record = target > 0 ? Json{{"target", target}}.dump() : "{}";
    for (double cpu : cpu_seconds) {
      row.cpu_seconds = cpu;
      Add(row);
      ++row.round;
    }
  }
  void Execute(const std::string& sql) {
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
        << message;
  }

 private:
  void Bind(sqlite3_stmt* statement, int at, const std::string& value) {
    sqlite3_bind_text(statement, at, value.c_str(), -1, SQLITE_TRANSIENT);
  }
  void Bind(sqlite3_stmt* statement, int at, double value) {
    sqlite3_bind_double(statement, at, value);
  }
  void Bind(sqlite3_stmt* statement, int at, int value) { sqlite3_bind_int(statement, at, value); }
  template <typename T>
  void Bind(sqlite3_stmt* statement, int at, const std::optional<T>& value) {
    if (value) Bind(statement, at, *value);
  }
  template <typename... Values>
  void Insert(const char* sql, const Values&... values) {
    sqlite3_stmt* statement = nullptr;
    ASSERT_EQ(sqlite3_prepare_v2(database_, sql, -1, &statement, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database_);
    int at = 0;
    (Bind(statement, ++at, values), ...);
    EXPECT_EQ(sqlite3_step(statement), SQLITE_DONE) << sqlite3_errmsg(database_);
    sqlite3_finalize(statement);
  }

  std::filesystem::path path_;
  sqlite3* database_ = nullptr;
  int keys_ = 0;
};

}  // namespace mbsbench::report_tests
