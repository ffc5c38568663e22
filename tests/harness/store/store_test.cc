#include "harness/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <concepts>
#include <fstream>

namespace mbsbench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// A folder that the test removes.
class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    char name[] = "/tmp/mbsbench-store-XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~StoreTest() override { fs::remove_all(folder_); }
  fs::path File(const std::string& name) const { return folder_ / name; }

  fs::path folder_;
};

TrialRow SomeTrial(const std::string& method, int round = 0) {
  TrialIdentity identity{"branch4", method, "dopri5", 1e-8,   {},       5.,
                         "time",    round,  "",       "hash", "binary", "machine"};
  TrialRow row;
  row.key = TrialKey(identity);
  row.run_id = "r1";
  row.problem = identity.problem;
  row.method = identity.method;
  row.integrator = identity.integrator;
  row.tolerance = identity.tolerance;
  row.end_time = identity.end_time;
  row.kind = identity.kind;
  row.round = round;
  row.outcome = "ok";
  row.finished = UtcNow();
  row.cpu_seconds = 0.1 + 0.2;
  row.record.integration = {.counters = {.steps = 12}};
  return row;
}

RunRow SomeRun(const std::string& id = "r1") {
  return {id,           "2024-01-01T00:00:00Z",   "", "mbsbench run", 7,
          {.cpu = "x"}, {.binary_hash = "binary"}};
}

// The message on opening a file.
std::string Refusal(const fs::path& path, bool to_write = false) {
  try {
    to_write ? Store::OpenToWrite(path) : Store::OpenToRead(path);
  } catch (const StoreError& error) {
    return error.what();
  }
  return "";
}

// Changes a store with another connection.
void Execute(const fs::path& path, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(SQLITE_OK, sqlite3_open(path.c_str(), &database));
  EXPECT_EQ(SQLITE_OK, sqlite3_exec(database, sql, nullptr, nullptr, nullptr))
      << sqlite3_errmsg(database);
  sqlite3_close(database);
}

TEST_F(StoreTest, ReturnsWhatWasStored) {
  {
    Store store = Store::OpenToWrite(File("s.sqlite"));
    store.Put(SomeRun());
    store.Put(ProblemRow{"r1", "branch4", {.bodies = 4}});
    store.Put(MethodRow{"r1", "a:b", {.key = "a"}});
    store.Put(SomeTrial("a:b"));
  }
  const Store store = Store::OpenToRead(File("s.sqlite"));
  ASSERT_EQ(1u, store.Runs().size());
  EXPECT_EQ(7, store.Runs()[0].seed);
  EXPECT_EQ("", store.Runs()[0].finished);
  EXPECT_EQ(4, store.Problems().at(0).record.bodies);
  EXPECT_EQ("a:b", store.Methods().at(0).spec);
  const TrialRow expected = SomeTrial("a:b");
  const std::optional<TrialRow> trial = store.FindTrial(expected.key);
  ASSERT_TRUE(trial);
  EXPECT_EQ(expected.cpu_seconds, trial->cpu_seconds) << "to the last bit";
  EXPECT_EQ(1e-8, trial->tolerance);
  EXPECT_FALSE(trial->step);
  EXPECT_EQ(12, trial->record.integration->counters.steps);
}

TEST_F(StoreTest, ReplacingATrialKeepsItsPlaceAndTakesTheNewDocument) {
  Store store = Store::OpenToWrite(File("s.sqlite"));
  store.Put(SomeRun());
  for (const char* name : {"b", "a"}) {
    store.Put(ProblemRow{"r1", name, {.bodies = 4}});
    store.Put(MethodRow{"r1", name, {.key = "old"}});
  }
  store.Put(ProblemRow{"r1", "b", {.bodies = 5}});
  store.Put(MethodRow{"r1", "b", {.key = "new"}});
  ASSERT_EQ(2u, store.Problems().size());
  ASSERT_EQ(2u, store.Methods().size());
  EXPECT_EQ("b", store.Problems()[0].name);
  EXPECT_EQ(5, store.Problems()[0].record.bodies);
  EXPECT_EQ("b", store.Methods()[0].spec);
  EXPECT_EQ("new", store.Methods()[0].record.key);
}

// A later command of a run may load others.
TEST_F(StoreTest, ReplacingARunUpdatesItsPlugins) {
  Store store = Store::OpenToWrite(File("s.sqlite"));
  RunRow run = SomeRun();
  store.Put(run);
  run.build.plugins = {{{.name = "loaded later", .sha1 = "1"}}};
  store.Put(run);
  ASSERT_EQ(1u, OrNone(store.Runs().at(0).build.plugins).size());
  EXPECT_EQ("loaded later", store.Runs()[0].build.plugins->front().name);
}

TEST_F(StoreTest, KeyDependsOnEverythingThatDeterminesATrial) {
  const TrialIdentity id{"p", "m", "rk4", {}, 0.1, 1., "time", 0, "", "h", "b", "c"};
  std::vector<TrialIdentity> others(12, id);
  others[0].problem = "q";
  others[1].method = "n";
  others[2].integrator = "ida";
  others[3].tolerance = 0.1;
  others[3].step = {};
  others[4].step = 0.1 + 1e-17 + 1e-16;
  others[5].end_time = 2;
  others[6].kind = "accuracy";
  others[7].round = 1;
  others[8].what = "residual";
  others[9].binary_hash = "d";
  others[10].machine = "e";
  others[11].problem_hash = "i";
  for (const TrialIdentity& other : others) EXPECT_NE(TrialKey(id), TrialKey(other));
  EXPECT_EQ(TrialKey(id), TrialKey(TrialIdentity(id)));
  // The key is the same on every machine and in every version, because stores merge by it (value from another
  // implementation of RFC 4122).
  EXPECT_EQ("22167deb-5451-50bf-a286-9e3c133380fd", TrialKey(id));
}

TEST_F(StoreTest, ATrialStoredTwiceIsPresentOnce) {
  Store store = Store::OpenToWrite(File("s.sqlite"));
  store.Put(SomeRun());
  store.Put(SomeTrial("a"));
  TrialRow again = SomeTrial("a");
  again.outcome = "timeout";
  store.Put(again);
  EXPECT_EQ(1, store.TrialCount());
  EXPECT_EQ("timeout", store.FindTrial(again.key)->outcome);
}

TEST_F(StoreTest, SecondWriterIsRefusedAndReadersAreNot) {
  Store store = Store::OpenToWrite(File("s.sqlite"));
  store.Put(SomeRun());
  store.Put(SomeTrial("a"));
  EXPECT_THAT(Refusal(File("s.sqlite"), true), HasSubstr("is being written by another mbsbench"));
  EXPECT_EQ(1, Store::OpenToRead(File("s.sqlite")).TrialCount());
  store.Put(SomeTrial("b"));  // the refused writer took nothing away
  EXPECT_EQ(2, Store::OpenToRead(File("s.sqlite")).TrialCount());
}

TEST_F(StoreTest, AKilledWriterLeavesWholeTrialsAndNoLock) {
  int ready[2];
  ASSERT_EQ(0, pipe(ready));
  const pid_t child = fork();
  if (child == 0) {
    Store store = Store::OpenToWrite(File("s.sqlite"));
    store.Put(SomeRun());
    for (int round = 0;; ++round) {
      store.Put(SomeTrial("a", round));
      if (round == 20 && write(ready[1], "x", 1) != 1) _exit(1);
    }
  }
  char byte;
  ASSERT_EQ(1, read(ready[0], &byte, 1));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  Store store = Store::OpenToWrite(File("s.sqlite"));
  EXPECT_GE(store.TrialCount(), 21);
  for (const TrialRow& trial : store.Trials())
    EXPECT_EQ(12, trial.record.integration->counters.steps);
}

TEST_F(StoreTest, ReportsTheFaultOfAFile) {
  EXPECT_THAT(Refusal(File("none.sqlite")), HasSubstr("there is no store"));
  EXPECT_THAT(Refusal(folder_), HasSubstr("is a folder"));
  EXPECT_THAT(Refusal(folder_, true), HasSubstr("is a folder"));
  std::ofstream(File("empty.sqlite"));
  EXPECT_THAT(Refusal(File("empty.sqlite")), HasSubstr("is empty"));
  std::ofstream(File("text.sqlite")) << std::string(5000, 'x');
  EXPECT_THAT(Refusal(File("text.sqlite")), HasSubstr("not an SQLite file"));
  EXPECT_THAT(Refusal(File("text.sqlite"), true), HasSubstr("not an SQLite file"));
}

TEST_F(StoreTest, RefusesOtherSchemaVersionsAndForeignDatabases) {
  Store::OpenToWrite(File("s.sqlite"));
  Execute(File("s.sqlite"), "UPDATE meta SET value = '1'");
  EXPECT_THAT(Refusal(File("s.sqlite")),
              HasSubstr("has schema version 1; this mbsbench reads and writes version 2"));
  EXPECT_THAT(Refusal(File("s.sqlite"), true), HasSubstr("has schema version 1"));
  Execute(File("foreign.sqlite"), "CREATE TABLE song (title TEXT)");
  EXPECT_THAT(Refusal(File("foreign.sqlite")), HasSubstr("SQLite file of something else"));
  EXPECT_THAT(Refusal(File("foreign.sqlite"), true), HasSubstr("SQLite file of something else"));
}

TEST_F(StoreTest, EmptyFileIsTreatedAsANewStore) {
  std::ofstream(File("empty.sqlite"));
  EXPECT_EQ(0, Store::OpenToWrite(File("empty.sqlite")).TrialCount());
}

TEST_F(StoreTest, ReportsAHalfWrittenFileAsDamaged) {
  {
    Store store = Store::OpenToWrite(File("s.sqlite"));
    store.Put(SomeRun());
    for (int round = 0; round < 200; ++round) store.Put(SomeTrial("a", round));
  }
  const auto size = fs::file_size(File("s.sqlite"));
  ASSERT_GT(size, 40'000u);
  fs::resize_file(File("s.sqlite"), size / 2);
  const auto read_all = [this] { Store::OpenToRead(File("s.sqlite")).Trials(); };
  EXPECT_THROW(
      {
        try {
          read_all();
        } catch (const StoreError& error) {
          EXPECT_THAT(error.what(), HasSubstr("is damaged"));
          throw;
        }
      },
      StoreError);
}

TEST_F(StoreTest, ImportAddsWhatIsMissingByKeyAndKeepsTheRest) {
  {
    Store here = Store::OpenToWrite(File("here.sqlite"));
    here.Put(SomeRun("r1"));
    here.Put(SomeTrial("a"));
    Store there = Store::OpenToWrite(File("there.sqlite"));
    there.Put(SomeRun("r2"));
    for (const char* method : {"a", "b"}) {
      TrialRow trial = SomeTrial(method);
      trial.run_id = "r2";
      trial.finished = "2000-01-01T00:00:00Z";  // the later result stays
      there.Put(trial);
    }
    there.Put(ProblemRow{"r2", "branch4"});
    const ImportCount count = here.ImportFrom(File("there.sqlite"));
    EXPECT_EQ(1, count.added);
    EXPECT_EQ(1, count.present);
    EXPECT_EQ(0, here.ImportFrom(File("there.sqlite")).added) << "a second time adds nothing";
    EXPECT_THROW(here.ImportFrom(File("here.sqlite")), StoreError);
    EXPECT_EQ("r1", here.FindTrial(SomeTrial("a").key)->run_id);
    EXPECT_EQ("r2", here.FindTrial(SomeTrial("b").key)->run_id);
    EXPECT_EQ(2u, here.Runs().size());
    EXPECT_EQ(1u, here.Problems().size());
  }
}

// Two runs with other mechanisms of one name, and a trial that both computed.
TEST_F(StoreTest, ImportInEitherOrderGivesTheSameRows) {
  const auto write = [this](const char* file, const char* started, const char* title) {
    Store store = Store::OpenToWrite(File(file));
    RunRow run = SomeRun(file);
    run.started = started;
    store.Put(run);
    ProblemRow problem{file, "branch4"};
    problem.record.title = title;
    store.Put(problem);
    TrialRow trial = SomeTrial("a");
    trial.run_id = file;
    trial.finished = started;
    trial.reason = title;
    store.Put(trial);
  };
  write("old", "2024-01-01T00:00:00Z", "1 kg");
  write("new", "2024-01-02T00:00:00Z", "5 kg");
  for (const auto& [first, second] : {std::pair{"old", "new"}, std::pair{"new", "old"}}) {
    SCOPED_TRACE(first);
    Store all = Store::OpenToWrite(File(std::string("all-") + first));
    for (const char* file : {first, second}) all.ImportFrom(File(file));
    const std::vector<ProblemRow> problems = all.Problems();
    ASSERT_EQ(2u, problems.size());
    EXPECT_EQ("5 kg", problems.back().record.title) << "of the latest run";
    ASSERT_EQ(1u, all.Trials().size());
    EXPECT_EQ("5 kg", all.Trials()[0].reason) << "the later result";
  }
}

// Two stores that hold one run at different stages, imported in either order.
TEST_F(StoreTest, ImportMergesTwoStatesOfOneRun) {
  const auto write = [this](const char* file, std::vector<std::string> hosts, const char* command,
                            const char* finished, int done) {
    Store store = Store::OpenToWrite(File(file));
    RunRow run = SomeRun();
    run.machine.hosts = std::move(hosts);
    run.build.plugins = {{{.name = command, .sha1 = command}}};
    run.command = command;
    run.finished = finished;
    store.Put(run);
    store.Put(CoverageRow{"r1", {.passes = {{file, 60, done, 0}, {"", 1, 1, 0}}}});
  };
  write("early.sqlite", {"n1"}, "first", "", 5);
  write("late.sqlite", {"n1", "n2"}, "first && second", "2024-01-02T00:00:00Z", 60);
  for (const auto& [here, there] : {std::pair{"early", "late"}, std::pair{"late", "early"}}) {
    SCOPED_TRACE(here);
    fs::copy_file(File(here + std::string(".sqlite")), File("all.sqlite"),
                  fs::copy_options::overwrite_existing);
    Store all = Store::OpenToWrite(File("all.sqlite"));
    all.ImportFrom(File(there + std::string(".sqlite")));
    const RunRow run = all.Runs().at(0);
    EXPECT_EQ("first && second", run.command);
    EXPECT_EQ("2024-01-02T00:00:00Z", run.finished);
    EXPECT_EQ((std::vector<std::string>{"n1", "n2"}), run.machine.hosts);
    EXPECT_EQ(2u, OrNone(run.build.plugins).size()) << "of both";
    ASSERT_EQ(1u, all.Coverages().size());
    EXPECT_EQ("late.sqlite", all.Coverages()[0].document.passes[0].title);
  }
}

TEST_F(StoreTest, ImportNamesADamagedCoverageWithTheStoreThatHoldsIt) {
  for (const char* file : {"here.sqlite", "there.sqlite"}) {
    Store store = Store::OpenToWrite(File(file));
    store.Put(SomeRun());
    store.Put(CoverageRow{"r1", {}});
    Execute(File(file), "UPDATE coverage SET json = '{'");
  }
  std::vector<std::string> damaged;
  Store here = Store::OpenToWrite(File("here.sqlite"), &damaged);
  EXPECT_THAT(
      here.ImportFrom(File("there.sqlite")).damaged,
      ElementsAre(HasSubstr("A document of its coverage in '" + File("there.sqlite").string())));
  EXPECT_THAT(damaged, ElementsAre(HasSubstr(File("here.sqlite").string())));
}

TEST_F(StoreTest, ADamagedTrialIsNoResultAndAWholeCopyReplacesIt) {
  for (const char* file : {"here.sqlite", "there.sqlite", "whole.sqlite"}) {
    Store store = Store::OpenToWrite(File(file));
    store.Put(SomeRun());
    store.Put(SomeTrial("a"));
    store.Put(SomeTrial("b"));
  }
  Execute(File("here.sqlite"), "DELETE FROM trial WHERE method = 'b'");
  Execute(File("here.sqlite"), "UPDATE trial SET record = '{'");
  Execute(File("there.sqlite"), "UPDATE trial SET record = '[]' WHERE method = 'b'");
  std::vector<std::string> damaged;
  Store here = Store::OpenToWrite(File("here.sqlite"), &damaged);
  EXPECT_FALSE(here.FindTrial(SomeTrial("a").key)) << "so it is run again";
  EXPECT_TRUE(here.Trials().empty());
  EXPECT_THAT(damaged,
              ElementsAre("The time trial of branch4 by a, dopri5 tol 1e-08, round 0, in '" +
                          File("here.sqlite").string() + "' could not be read and is left out."));
  ImportCount count = here.ImportFrom(File("there.sqlite"));
  EXPECT_EQ(1, count.added) << "in place of the damaged one";
  EXPECT_EQ(0, count.present);
  EXPECT_THAT(count.damaged, ElementsAre(HasSubstr("branch4 by b, dopri5")));
  EXPECT_EQ(12, here.FindTrial(SomeTrial("a").key)->record.integration->counters.steps);
  EXPECT_FALSE(here.FindTrial(SomeTrial("b").key));
  count = here.ImportFrom(File("whole.sqlite"));
  EXPECT_EQ(1, count.added);
  EXPECT_EQ(1, count.present);
  EXPECT_TRUE(count.damaged.empty());
}

// An operator of the cell's setting would ignore key, round and record.
TEST(TrialRow, IsComparedByNamedFieldsOnly) {
  static_assert(!std::equality_comparable<TrialRow>);
  static_assert(!std::equality_comparable<CellSetting>);
  TrialRow a, b;
  b.key = "other";
  EXPECT_EQ(a.CellFields(), b.CellFields());
  b.tolerance = 1e-8;
  EXPECT_NE(a.CellFields(), b.CellFields());
}

TEST_F(StoreTest, ExportIsACompleteStoreAlsoDuringWrites) {
  Store writer = Store::OpenToWrite(File("s.sqlite"));
  writer.Put(SomeRun());
  writer.Put(SomeTrial("a"));
  Store::OpenToRead(File("s.sqlite")).ExportTo(File("copy.sqlite"));
  EXPECT_EQ(1, Store::OpenToRead(File("copy.sqlite")).TrialCount());
  EXPECT_THROW(writer.ExportTo(File("copy.sqlite")), StoreError) << "nothing is overwritten";
}

BenchRunRow SomeBenchRun() {
  return {{"b1", "2024-01-01T00:00:00Z", "", "mbsbench bench", 3, {.cpu = "x"}, {.commit = "c"}}};
}
const BenchRow kSomeBench{"b1", "time", "p m accelerations",
                          "p",  "m",    "accelerations",
                          "",   1e-6,   {.times = BenchTimesRecord{.instructions = 100}}};

TEST_F(StoreTest, KeepsBenchmarks) {
  Store store = Store::OpenToWrite(File("s.sqlite"));
  store.Put(SomeBenchRun());
  store.Put(kSomeBench);
  ASSERT_EQ(1u, store.BenchRuns().size());
  EXPECT_EQ("c", store.BenchRuns()[0].build.commit);
  EXPECT_FALSE(store.BenchRuns()[0].base);
  ASSERT_EQ(1u, store.Benches().size());
  EXPECT_EQ(1e-6, store.Benches()[0].cpu_seconds);
  EXPECT_EQ(100, store.Benches()[0].record.times->instructions);
}

TEST_F(StoreTest, ImportAddsBenchmarks) {
  {
    Store other = Store::OpenToWrite(File("other.sqlite"));
    other.Put(SomeBenchRun());
    other.Put(kSomeBench);
  }
  Store store = Store::OpenToWrite(File("s.sqlite"));
  EXPECT_EQ(0, store.ImportFrom(File("other.sqlite")).added);
  EXPECT_EQ(1u, store.Benches().size());
}

}  // namespace
}  // namespace mbsbench
