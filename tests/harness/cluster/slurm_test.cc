#include "harness/cluster/slurm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/store/files.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;
using testing::Not;

class SlurmTest : public testing::Test {
 protected:
  SlurmTest() {
    plan_.id = "0123456789abcdef";
    plan_.plan = "hash";
    plan_.shards = 3;
    plan_.executable = {"/bin/echo"};
    shared_.Write(plan_);
  }
  // Task 2 as Slurm would call it, with an executable that does `at_start` when it is asked for its version.
  CommandResult RunTaskScript(const std::string& at_start) {
    plan_.executable = {folder_.File("mbsbench")};
    WriteFile(plan_.executable[0],
              "#!/bin/sh\nif [ \"$1\" = --version ]; then " + at_start + "; else echo \"$@\"; fi\n",
              kSharedOption);
    std::filesystem::permissions(plan_.executable[0], std::filesystem::perms{0755});
    const std::string script = folder_.File("task.sh");
    WriteFile(script, TaskScript(shared_, plan_, {}), kSharedOption);
    setenv("SLURM_ARRAY_TASK_ID", "2", 1);
    return RunCommand("/bin/bash", {script});
  }
  std::string WhyTask2Failed() const {
    std::ifstream failed(shared_.Failed(2));
    std::string why;
    std::getline(failed, why);
    return why;
  }

  TemporaryFolder folder_;
  SharedFolder shared_ = SharedFolder::OpenToWrite(folder_.path());
  ClusterPlan plan_;
};

TEST_F(SlurmTest, ATaskRunsItsShardWhereTheExecutableStarts) {
  const CommandResult result = RunTaskScript("echo mbsbench 1.0");
  EXPECT_EQ(0, result.exit_code) << result.err;
  EXPECT_EQ("task " + shared_.path().string() + " 2\n", result.out);
  EXPECT_EQ("", WhyTask2Failed());
}

// The sentence of the executable itself; tests/harness/command_line/instruction_set_test.cc tests that it is printed.
TEST_F(SlurmTest, ATaskWhoseExecutableRefusesTheProcessorFailsWithItsSentence) {
  const CommandResult result = RunTaskScript("echo This processor lacks avx9000. >&2; exit 2");
  EXPECT_EQ(2, result.exit_code);
  EXPECT_EQ("", result.out);
  EXPECT_THAT(result.err, HasSubstr("exit status 2"));
  EXPECT_THAT(result.err, HasSubstr("This processor lacks avx9000."));
  EXPECT_EQ(1, std::count(result.err.begin(), result.err.end(), '\n'));
  EXPECT_EQ(result.err, "mbsbench: " + WhyTask2Failed() + "\n");
}

TEST_F(SlurmTest, ATaskWhoseExecutableEndsByAnIllegalInstructionFailsWithOneSentence) {
  const CommandResult result = RunTaskScript("kill -ILL $$");
  EXPECT_EQ(2, result.exit_code);
  EXPECT_EQ("", result.out);
  EXPECT_THAT(WhyTask2Failed(), HasSubstr("exit status 132"));
  EXPECT_THAT(WhyTask2Failed(), HasSubstr("PRESET=portable"));
}

TEST_F(SlurmTest, TheScriptRequestsTheGivenResources) {
  const std::string script = TaskScript(shared_, plan_,
                                        {.partition = "batch",
                                         .account = "a b",
                                         .constraint = "ice&fast",
                                         .minutes = 30,
                                         .megabytes = 4608});
  EXPECT_THAT(script, HasSubstr("#SBATCH --partition=batch\n"));
  EXPECT_THAT(script, HasSubstr("#SBATCH --account='a b'\n"));
  EXPECT_THAT(script, HasSubstr("#SBATCH --constraint='ice&fast'\n"));
  EXPECT_THAT(script, HasSubstr("--mem=4608M"));
  EXPECT_THAT(script, HasSubstr("--time=30"));
  EXPECT_THAT(script, HasSubstr("--requeue"));
  EXPECT_THAT(script, Not(HasSubstr("--exclusive")));
  EXPECT_THAT(TaskScript(shared_, plan_, {.exclusive = true}), HasSubstr("--exclusive"));
}

// %a is the number of a task to Slurm, and %% the character %.
TEST_F(SlurmTest, APercentSignInTheNameOfTheFolderIsNoPatternInTheNamesOfLogs) {
  const std::string odd = folder_.File("100%a");
  std::filesystem::create_directory(odd);
  const SharedFolder shared = SharedFolder::OpenToWrite(odd);
  EXPECT_THAT(TaskScript(shared, plan_, {}),
              HasSubstr("#SBATCH --output=" + folder_.File("100%%a/logs/%a.log") + "\n"));
  EXPECT_THAT(MergeScript(shared, plan_, {}),
              HasSubstr("#SBATCH --output=" + folder_.File("100%%a/logs/merge.log") + "\n"));
}

TEST_F(SlurmTest, ShardsAreGivenAsRangesAndTheMergeWaitsForAnyEndOfThem) {
  EXPECT_THAT(TaskCommand(shared_, {1, 2, 3, 5, 7, 8}), testing::Contains("--array=1-3,5,7-8"));
  EXPECT_THAT(MergeCommand(shared_, "17"), testing::Contains("--dependency=afterany:17"));
}

}  // namespace
}  // namespace mbsbench
