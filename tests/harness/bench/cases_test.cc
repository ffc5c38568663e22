#include "harness/bench/cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/everything.h"

namespace mbsbench {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> NamesOfCases(const MethodEntry& entry) {
  std::vector<std::string> names;
  for (const BenchCase& c : AllBenchCases({entry})) names.push_back(c.Name());
  return names;
}

MethodEntry Method(Form form) {
  MethodEntry entry = Taking("m", 1, form);
  entry.options = {{"usual", "", std::string(kVariantGroup), true},
                   {"other", "", std::string(kVariantGroup)}};
  return entry;
}

TEST(BenchCases, EvaluateEveryVariantOnAChainAndTheDefaultOneOnATreeAndALoop) {
  const std::vector<std::string> names = NamesOfCases(Method(Form::kOde));
  EXPECT_THAT(
      names, IsSupersetOf({"chainN:bodies=10 m:usual accelerations",
                           "chainN:bodies=10 m:other accelerations", "tree12 m:usual accelerations",
                           "fourbar m:usual accelerations"}));
  EXPECT_EQ(4u, names.size());
}

TEST(BenchCases, FollowFromTheFormOfTheMethod) {
  EXPECT_THAT(NamesOfCases(Method(Form::kDae)),
              IsSupersetOf({"tree12 m:usual residual and Jacobian", "tree12 m:usual solve",
                            "fourbar m:usual solve"}));
  EXPECT_THAT(NamesOfCases(Method(Form::kTimeStepper)), Contains("chainN:bodies=10 m:usual solve"));
  EXPECT_THAT(NamesOfCases(Method(Form::kAlgebraic)),
              testing::ElementsAre("governor m:usual solve"));
}

TEST(BenchCases, MethodWithBatchesHasBatchesReactionsSolvesAndLargeSystems) {
  MethodEntry entry = Method(Form::kOde);
  entry.prepare_batch = [](const System&, const MethodOptions&) { return nullptr; };
  const std::vector<std::string> names = NamesOfCases(entry);
  EXPECT_THAT(names, IsSupersetOf({"tree12 m:usual batch of accelerations",
                                   "tree12 m:usual accelerations and reactions",
                                   "tree12 m:usual solve", "treeN:bodies=127 m:usual accelerations",
                                   "ladder:bodies=200,loops=50 m:usual accelerations"}));
  EXPECT_THAT(names, Not(Contains("fourbar m:usual batch of accelerations")));
}

TEST(BenchCases, MethodThatRefusesTheProblemsOrIsAnEngineHasNone) {
  MethodEntry entry = Method(Form::kOde);
  entry.origin = Origin::kEngine;
  EXPECT_THAT(NamesOfCases(entry), IsEmpty());
  entry.origin = Origin::kOurs;
  entry.supports = [](const System&, const MethodOptions&) { return Verdict::No("no."); };
  EXPECT_THAT(NamesOfCases(entry), IsEmpty());
}

}  // namespace
}  // namespace mbsbench
