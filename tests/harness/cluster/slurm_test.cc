#include "harness/cluster/slurm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/instruction_set.h"
#include "harness/store/files.h"
#include "problems/model/error.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;
using testing::Not;

class SlurmTest : public testing::Test {
 protected:
  SlurmTest() {
    plan_.id = "0123456789abcdef";
    plan_.hash = "hash";
    plan_.shards = 3;
    plan_.executable = {"/bin/echo"};
    shared_.Write(plan_);
  }
  // Of task 2 as Slurm would call it.
  CommandResult RunTaskScript(const std::vector<std::string>& instruction_sets) {
    const std::string script = folder_.File("task.sh");
    WriteFile(script, TaskScript(shared_, plan_, {}, instruction_sets), kSharedOption);
    setenv("SLURM_ARRAY_TASK_ID", "2", 1);
    return RunCommand("/bin/bash", {script});
  }

  TemporaryFolder folder_;
  SharedFolder shared_ = SharedFolder::OpenToWrite(folder_.path());
  ClusterPlan plan_;
};

TEST_F(SlurmTest, ATaskRunsItsShardOnAProcessorThatHasTheInstructionSets) {
  const CommandResult result = RunTaskScript({"fpu"});
  EXPECT_EQ(0, result.exit_code) << result.err;
  EXPECT_EQ("task " + shared_.path().string() + " 2\n", result.out);
}

TEST_F(SlurmTest, ATaskRefusesAProcessorThatLacksAnInstructionSetBeforeTheExecutableStarts) {
  const CommandResult result = RunTaskScript({"fpu", "avx9000"});
  EXPECT_EQ(2, result.exit_code);
  EXPECT_EQ("", result.out);
  EXPECT_THAT(result.err, HasSubstr("lacks avx9000"));
  EXPECT_EQ(1, std::count(result.err.begin(), result.err.end(), '\n'));
  std::ifstream failed(shared_.Failed(2));
  std::string why;
  std::getline(failed, why);
  EXPECT_THAT(why, HasSubstr("lacks avx9000"));
}

TEST_F(SlurmTest, ThisProcessorHasTheInstructionSetsOfThisExecutable) {
  EXPECT_EQ(0, RunTaskScript(NeededInstructionSets()).exit_code);
}

TEST_F(SlurmTest, TheScriptRequestsTheGivenResources) {
  const std::string script = TaskScript(shared_, plan_,
                                        {.partition = "batch",
                                         .account = "a b",
                                         .constraint = "ice&fast",
                                         .minutes = 30,
                                         .megabytes = 4608},
                                        {});
  EXPECT_THAT(script, HasSubstr("#SBATCH --partition=batch\n"));
  EXPECT_THAT(script, HasSubstr("#SBATCH --account='a b'\n"));
  EXPECT_THAT(script, HasSubstr("#SBATCH --constraint='ice&fast'\n"));
  EXPECT_THAT(script, HasSubstr("--mem=4608M"));
  EXPECT_THAT(script, HasSubstr("--time=30"));
  EXPECT_THAT(script, HasSubstr("--requeue"));
  EXPECT_THAT(script, Not(HasSubstr("--exclusive")));
  EXPECT_THAT(TaskScript(shared_, plan_, {.exclusive = true}, {}), HasSubstr("--exclusive"));
}

TEST_F(SlurmTest, ShardsAreGivenAsRangesAndTheMergeWaitsForAnyEndOfThem) {
  EXPECT_THAT(TaskCommand(shared_, {1, 2, 3, 5, 7, 8}), testing::Contains("--array=1-3,5,7-8"));
  EXPECT_THAT(MergeCommand(shared_, "17"), testing::Contains("--dependency=afterany:17"));
}

std::string Refusal(const std::string& nodes, const SlurmRequest& request = {}) {
  try {
    CheckNodes(nodes, request);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

constexpr char kKnown[] =
    "NodeName=n1 Arch=x86_64 CoresPerSocket=1 AvailableFeatures=(null) Partitions=main \n";
constexpr char kForeign[] =
    "NodeName=g1 Arch=s390x CoresPerSocket=1 AvailableFeatures=(null) Partitions=other \n";
constexpr char kOld[] =
    "NodeName=o1 Arch=x86_64 CoresPerSocket=1 AvailableFeatures=nehalem,sse4_2 Partitions=old,main "
    "\n";

TEST(CheckNodes, RefusesIfNoRequestedNodeCanRunTheExecutable) {
  EXPECT_EQ("", Refusal(std::string(kForeign) + kKnown));
  EXPECT_THAT(Refusal(kForeign), HasSubstr("g1 has the architecture s390x"));
  EXPECT_THAT(Refusal(std::string(kForeign) + kKnown, {.partition = "other"}), HasSubstr("g1"));
  EXPECT_EQ("", Refusal(std::string(kOld) + kKnown));
  EXPECT_EQ("", Refusal("")) << "nothing is known";
  if (NeededLevel() > 2) {
    EXPECT_THAT(Refusal(std::string(kOld) + kKnown, {.constraint = "nehalem"}),
                HasSubstr("sse4_2"));
    EXPECT_THAT(Refusal(kOld, {.partition = "main"}), HasSubstr("PRESET=portable"));
  }
}

TEST(LevelOfFeatures, IsTheHighestNamedLevel) {
  EXPECT_EQ(0, LevelOfFeatures("(null)"));
  EXPECT_EQ(0, LevelOfFeatures("skylake,gpu"));
  EXPECT_EQ(3, LevelOfFeatures("avx,avx2,gpu"));
  EXPECT_EQ(4, LevelOfFeatures("x86-64-v4"));
}

}  // namespace
}  // namespace mbsbench
