#include "harness/runner/run_trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "harness/runner/process/environment.h"
#include "methods/thresholds/thresholds.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

const BuildRecord kBuild{.binary_hash = "h"}, kOtherBuild{.binary_hash = "g"};
MachineRecord MachineOf(const std::string& host, const std::string& cpu = "x") {
  return {.hosts = {host}, .cpu = cpu, .cores = 2};
}

class ResumedRunTest : public testing::Test {
 protected:
  ResumedRunTest() {
    store_.Put(
        RunRow{"r1", "2024-01-01T00:00:00Z", "", "mbsbench run", 7, MachineOf("n1"), kBuild});
    TrialRow trial;
    trial.key = "a";
    trial.run_id = "r1";
    trial.kind = "time";
    trial.record.control_seconds = 0.005;
    store_.Put(trial);
  }
  std::optional<RunRow> On(const MachineRecord& machine, double control_seconds) const {
    return RunToResume(store_, machine, kBuild, [=] { return control_seconds; });
  }

  TemporaryFolder folder_;
  Store store_ = Store::OpenToWrite(folder_.File("s.sqlite"));
};

TEST_F(ResumedRunTest, TheSameHostResumesAtAnyCurrentSpeed) {
  EXPECT_EQ("r1", On(MachineOf("n1"), 0.006)->id);
}

TEST_F(ResumedRunTest, AnotherHostResumesOnlyIfItIsAsFast) {
  const std::optional<RunRow> run = On(MachineOf("n2"), 0.00513);
  ASSERT_TRUE(run);
  EXPECT_EQ((std::vector<std::string>{"n1", "n2"}), run->machine.hosts);
  EXPECT_FALSE(On(MachineOf("n2"), 0.0052)) << "4 % slower";
  EXPECT_FALSE(On(MachineOf("n2"), 0.0048)) << "4 % faster";
}

TEST_F(ResumedRunTest, ADamagedRecordIsReportedWithTheStoreAndWhatToDo) {
  sqlite3* database = nullptr;
  ASSERT_EQ(SQLITE_OK, sqlite3_open(folder_.File("s.sqlite").c_str(), &database));
  EXPECT_EQ(SQLITE_OK,
            sqlite3_exec(database, "UPDATE trial SET record = '{'", nullptr, nullptr, nullptr));
  sqlite3_close(database);
  try {
    On(MachineOf("n2"), 0.005);
    FAIL();
  } catch (const StoreError& error) {
    EXPECT_THAT(error.what(), HasSubstr("s.sqlite' is damaged: it holds a record that is not a "
                                        "JSON object. Use another copy of it."));
  }
}

TEST_F(ResumedRunTest, AnotherProcessorOrBuildStartsANewRun) {
  EXPECT_FALSE(On(MachineOf("n1", "y"), 0.005));
  EXPECT_FALSE(RunToResume(store_, MachineOf("n1"), kOtherBuild));
}

TEST(ThisBuild, NamesEachThresholdByWhichOurMethodsDecideOnce) {
  const BuildRecord build = ThisBuild("h");
  EXPECT_EQ(kThresholds.Named().size(), build.thresholds.ByName().size());
  EXPECT_EQ(kThresholds.no_inertia, ValueOf(build.thresholds, "no_inertia"));
}

}  // namespace
}  // namespace mbsbench
