#include "harness/runner/plan/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "problems/model/error.h"
#include "tests/harness/toys/toy_methods.h"
#include "tests/support/everything.h"

namespace mbsbench {
namespace {

constexpr int kRounds = 3;

class ShardTest : public testing::Test {
 protected:
  std::vector<int> Assign(int shards) const { return AssignShards(plan_, shards); }

  static std::vector<MethodEntry> Methods() {
    std::vector<MethodEntry> methods = ToyMethods();
    methods.push_back(Taking("linear"));
    return methods;
  }

  std::vector<MethodEntry> methods_ = Methods();
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

TEST_F(ShardTest, ALargeSystemWeighsAsMuchAsManySmallOnes) {
  const std::vector<int> shard_of = Assign(2);
  std::size_t largest = 0;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    if (plan_[i].bodies > plan_[largest].bodies) largest = i;
  }
  EXPECT_LT(2 * std::ranges::count(shard_of, shard_of[largest]), std::ssize(plan_));
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

TEST_F(ShardTest, ErrorBudgetsAndTargetsChangeThePlan) {
  Selection selection{.problems = {"pendulum"}};
  const auto plain = MakePlan(selection, methods_);
  selection.budgets = true;
  const auto split = MakePlan(selection, methods_);
  selection.targets = {1e-4};
  const auto targeted = MakePlan(selection, methods_);
  EXPECT_NE(PlanHash(plain, {1}, kRounds, 1, "binary"), PlanHash(split, {1}, kRounds, 1, "binary"));
  EXPECT_NE(PlanHash(split, {1}, kRounds, 1, "binary"),
            PlanHash(targeted, {1}, kRounds, 1, "binary"));
}

}  // namespace
}  // namespace mbsbench
