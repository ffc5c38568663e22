#include "harness/comparison/plan_shards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/comparison/comparison.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

const PlanRecord kPlan{{{"pendulum", 1, 2}, {"branch4", 3, 1}, {"dpend18", 2, 1}}};

class PlanShardsTest : public testing::Test {
 protected:
  std::string File(const std::string& name) const { return folder_.File(name); }
  // A store of one shard that judged one cell of its problem.
  std::string Shard(int number, const char* problem, bool is_finished) {
    const std::string run = "r" + std::to_string(number), file = File(run + ".sqlite");
    Store store = Store::OpenToWrite(file);
    store.Put(RunRow{run, "2024-01-01T00:00:00Z", "", "mbsbench run", 1, {}, {}});
    store.Put(ShardRow{run, "plan", number, 3, is_finished ? "2024-01-01T01:00:00Z" : "", kPlan});
    store.Put(ProblemRow{run, problem});
    TrialRow trial;
    trial.key = run;
    trial.run_id = run;
    trial.problem = problem;
    trial.method = "m";
    trial.integrator = "rk4";
    trial.kind = "accuracy";
    trial.outcome = "ok";
    store.Put(trial);
    return file;
  }

  TemporaryFolder folder_;
};

TEST_F(PlanShardsTest, NamesMissingAndUnfinishedShards) {
  Store all = Store::OpenToWrite(File("all.sqlite"));
  EXPECT_TRUE(MissingShards(all).empty()) << "no plan";
  all.ImportFrom(Shard(3, "branch4", true));
  all.ImportFrom(Shard(1, "pendulum", false));
  EXPECT_THAT(MissingShards(all),
              ElementsAre("shard 1 of 3 has not finished: 0 of 2 items of pendulum are done",
                          "shard 2 of 3 is missing: 1 items of dpend18"));
}

TEST_F(PlanShardsTest, AFinishedShardReplacesItsUnfinishedVersion) {
  Store all = Store::OpenToWrite(File("all.sqlite"));
  const std::string shard = Shard(1, "pendulum", false);
  all.ImportFrom(shard);
  Shard(1, "pendulum", true);
  all.ImportFrom(shard);
  EXPECT_THAT(MissingShards(all), testing::Not(testing::Contains(HasSubstr("shard 1"))));
  ASSERT_EQ(1u, all.Shards().size());
}

TEST_F(PlanShardsTest, ShardsOfOnePlanAreComparedAsOneRun) {
  Store all = Store::OpenToWrite(File("all.sqlite"));
  all.ImportFrom(Shard(3, "branch4", true));
  all.ImportFrom(Shard(2, "dpend18", true));
  all.Put(RunRow{"other", "2024-01-02T00:00:00Z", "", "mbsbench run", 1, {}, {}});
  EXPECT_THAT(RunsOfPlan(all, "r2"), UnorderedElementsAre("r2", "r3"));
  EXPECT_THAT(RunsOfPlan(all, "other"), UnorderedElementsAre("other"));
  EXPECT_EQ(2u, ReadContent(all, all.Runs().front()).cells.size());
}

// Coverage of a shard with one pass.
CoverageRecord Progress(std::int64_t items, std::int64_t done) {
  return {.problems = Covered{1, 1}, .items = Covered{items, done}, .passes = {{"", items, done}}};
}

TEST_F(PlanShardsTest, APlanHasTheCommandsOfAllShardsAndFinishesWithTheLast) {
  Store all = Store::OpenToWrite(File("all.sqlite"));
  const char* const commands[] = {"run --shard 1/3 --store s1 --minutes 9", "run --shard 2/3",
                                  "run --resume --shard=3/3 --store 'a b' && run --retry crashed"};
  for (int number : {1, 2, 3}) {
    const std::string run = "r" + std::to_string(number);
    all.Put(RunRow{run, "2024-01-01T00:00:00Z", "", commands[number - 1], 1, {}, {}});
    all.Put(ShardRow{run, "plan", number, 3, "2024-01-01T0" + std::to_string(number), kPlan});
  }
  EXPECT_EQ("run --minutes 9 && run && run --retry crashed", JoinedPlans(all).at("plan").command);
  EXPECT_EQ("2024-01-01T03", JoinedPlans(all).at("plan").finished);
  EXPECT_EQ("2024-01-01T03", WithPlan(all, all.Runs().front()).finished);
}

// One run continued with another shard after the stores were merged, and one shard in two runs.
TEST_F(PlanShardsTest, CoverageIsTheSumOfTheFurthestOfEachShard) {
  Store all = Store::OpenToWrite(File("all.sqlite"));
  const auto put = [&all](const char* run, int number, std::int64_t items, std::int64_t done) {
    all.Put(RunRow{run, "2024-01-01T00:00:00Z", "", "mbsbench run", 1, {}, {}});
    PlanRecord plan = kPlan;
    plan.coverage = Progress(items, done);
    all.Put(ShardRow{run, "plan", number, 3, "", plan});
    all.Put(CoverageRow{run, *plan.coverage});
  };
  put("r1", 1, 2, 1);
  put("r2", 1, 2, 2);
  put("r2", 2, 1, 0);
  const CoverageRecord coverage = JoinedPlans(all).at("plan").coverage.value();
  EXPECT_EQ(4, coverage.items->planned) << "with the item of the missing shard 3";
  EXPECT_EQ(2, coverage.items->done);
  EXPECT_EQ(3, coverage.problems->planned);
}

TEST_F(PlanShardsTest, ARunOfTheWholePlanFinishesItAndOneOfOtherProblemsDoesNot) {
  Store all = Store::OpenToWrite(File("all.sqlite"));
  all.ImportFrom(Shard(3, "branch4", false));
  all.ImportFrom(Shard(1, "pendulum", false));
  const auto finish = [&all](const std::string& last) {
    const std::string commands = "mbsbench run --quick --shard 3/3 --store r3.sqlite && " + last;
    all.Put(RunRow{"r3", "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z", commands, 1, {}, {}});
    all.Put(CoverageRow{"r3", Progress(9, 9)});
    return JoinedPlans(all).at("plan").finished;
  };
  EXPECT_EQ("", finish("mbsbench run --quick --shard 3/3 --resume --store r3.sqlite"));
  EXPECT_EQ("", finish("mbsbench run --problem puck --resume --store all.sqlite"));
  EXPECT_FALSE(MissingShards(all).empty());
  EXPECT_EQ("2024-01-02T00:00:00Z", finish("mbsbench run --quick --resume --store all.sqlite"));
  EXPECT_TRUE(MissingShards(all).empty());
}

}  // namespace
}  // namespace mbsbench
