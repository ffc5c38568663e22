#include "harness/runner/plan/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "problems/model/error.h"
#include "tests/harness/toys/toy_methods.h"

namespace mbsbench {
namespace {

constexpr int kRounds = 3;
constexpr double kSecondsPerTrial = 60;

class ShardTest : public testing::Test {
 protected:
  std::vector<int> Assign(int shards) const {
    return AssignShards(plan_, shards, kRounds, kSecondsPerTrial);
  }
  std::vector<double> Costs() const { return ExpectedSeconds(plan_, kRounds, kSecondsPerTrial); }
  std::vector<double> Loads(const std::vector<int>& shard_of, int shards) const {
    const std::vector<double> costs = Costs();
    std::vector<double> loads(static_cast<std::size_t>(shards));
    for (std::size_t i = 0; i < plan_.size(); ++i)
      loads[static_cast<std::size_t>(shard_of[i]) - 1] += costs[i];
    return loads;
  }

  std::vector<MethodEntry> methods_ = ToyMethods();
  std::vector<PlannedProblem> plan_ =
      MakePlan({.problems = {"pendulum", "dpend18", "branchN:*", "chainN:*"}}, methods_);
};

TEST_F(ShardTest, IsParsedFromItsIndexAndTheCount) {
  EXPECT_EQ(3, ParseShard("3/6").number);
  EXPECT_EQ(6, ParseShard("3/6").of);
  for (const char* wrong : {"0/4", "5/4", "a/b", "-1/4", "1/0", "1", "/", "1/", "1/4x", "1/4/4",
                            " 1/4", "1/99999999999"})
    EXPECT_THROW(ParseShard(wrong), ModelError) << wrong;
}

TEST_F(ShardTest, EachProblemIsInOneShardAndNoShardIsEmptyIfThereAreEnough) {
  const int most = static_cast<int>(plan_.size());
  ASSERT_GT(most, 8);
  for (const int shards : {1, 2, 5, most}) {
    const std::vector<int> shard_of = Assign(shards);
    ASSERT_EQ(plan_.size(), shard_of.size());
    for (int shard = 1; shard <= shards; ++shard)
      EXPECT_EQ(1, std::min<long>(1, std::count(shard_of.begin(), shard_of.end(), shard))) << shard;
    EXPECT_EQ(shards, *std::max_element(shard_of.begin(), shard_of.end()));
  }
}

TEST_F(ShardTest, NoShardExceedsTheMeanByMoreThanTheMostExpensiveProblem) {
  const double most_expensive = std::ranges::max(Costs());
  for (const int shards : {2, 3, 6}) {
    const std::vector<double> loads = Loads(Assign(shards), shards);
    const double mean = std::accumulate(loads.begin(), loads.end(), 0.) / shards;
    EXPECT_LE(*std::max_element(loads.begin(), loads.end()), mean + most_expensive);
  }
}

TEST_F(ShardTest, AnotherPlanHasAnotherHash) {
  const auto hash = [this](int shards, int rounds, std::uint64_t seed, const char* binary) {
    return PlanHash(plan_, Assign(shards), rounds, seed, binary);
  };
  const std::string own = hash(4, 3, 1, "a");
  EXPECT_EQ(40u, own.size());
  EXPECT_EQ(own, hash(4, 3, 1, "a"));
  EXPECT_NE(own, hash(5, 3, 1, "a"));
  EXPECT_NE(own, hash(4, 2, 1, "a"));
  EXPECT_NE(own, hash(4, 3, 2, "a"));
  EXPECT_NE(own, hash(4, 3, 1, "b"));
  plan_.pop_back();
  EXPECT_NE(own, hash(4, 3, 1, "a"));
}

TEST_F(ShardTest, ErrorBudgetsCountAndChangeThePlan) {
  Selection selection{.problems = {"pendulum"}};
  const auto plain = MakePlan(selection, methods_);
  selection.budgets = true;
  const auto split = MakePlan(selection, methods_);
  EXPECT_GT(ExpectedSeconds(split, kRounds, kSecondsPerTrial)[0],
            ExpectedSeconds(plain, kRounds, kSecondsPerTrial)[0]);
  EXPECT_NE(PlanHash(plain, {1}, kRounds, 1, "binary"), PlanHash(split, {1}, kRounds, 1, "binary"));
}

}  // namespace
}  // namespace mbsbench
