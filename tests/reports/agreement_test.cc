// The report of a problem whose methods were compared in several runs.
#include <gmock/gmock.h>

#include "reports/analysis/cells.h"
#include "reports/analysis/disagreements.h"
#include "tests/reports/fixture_store.h"

namespace mbsbench::reports {
namespace {

using report_tests::FixtureStore;
using report_tests::TestFolder;
using report_tests::TrialRow;

Json Method(const std::string& spec, const Json& difference, const Json& error, int order = 6,
            const std::string& reason = "") {
  return {{"method", spec},      {"difference", difference}, {"error", error},  {"condition", 10},
          {"condition_of", "A"}, {"order", order},           {"reason", reason}};
}

class Agreement : public testing::Test {
 protected:
  Agreement() {
    store_.AddRun();
    store_.AddProblem("p", {{"bodies", 3}, {"loops", 0}});
  }
  void Add(const std::string& outcome, const Json& methods, int states = 6) {
    TrialRow row{.problem = "p", .kind = "agreement", .outcome = outcome};
    row.reason = outcome == "ok" ? "" : "reason of " + outcome;
    row.record = Json{
        {"states", states},
        {"truth", outcome == "ok" ? "113 bits" : "none"},
        {"worst", outcome == "ok" ? Json{{"method", "b"}, {"difference", 2e-12}} : Json(nullptr)},
        {"methods",
         methods}}.dump();
    store_.Add(row);
  }
  Comparison Compared() {
    results_ = ReadResults(store_.path());
    return Compare(results_);
  }
  Trial Merged() { return Compared().problems.at(0).agreement.value(); }
  static MethodAgreementRecord Of(const Trial& trial, const std::string& spec) {
    for (const MethodAgreementRecord& method : OrNone(trial.record.agreement).methods) {
      if (method.method == spec) return method;
    }
    return {};
  }

  TestFolder folder_;
  FixtureStore store_{folder_ / "store.sqlite"};
  Results results_;
};

TEST_F(Agreement, AMethodCheckedAloneLaterIsAddedToTheEarlierOnes) {
  Add("ok", {Method("a", 1e-12, 1e-14), Method("b", 2e-12, 1e-13)});
  Add("no_reference", Json::array({Method("c", nullptr, 3e-11)}), 4);
  const Trial merged = Merged();
  EXPECT_EQ(merged.outcome, "ok");
  EXPECT_EQ(merged.reason, "");
  EXPECT_EQ(merged.record.agreement->methods.size(), 3u);
  EXPECT_EQ(merged.record.agreement->states, 6);
  EXPECT_EQ(merged.record.agreement->truth, "113 bits");
  EXPECT_EQ(merged.record.agreement->worst->method, "b");
  EXPECT_EQ(Of(merged, "a").error, 1e-14);
  EXPECT_EQ(Of(merged, "c").error, 3e-11);
}

TEST_F(Agreement, TheNewestEntryOfAMethodKeepsOlderFieldsThatItLacks) {
  Add("ok", {Method("a", 1e-12, 1e-14, 6), Method("b", 2e-12, 1e-13)});
  Add("no_reference", Json::array({Method("a", nullptr, 5e-14, 9)}));
  const Trial merged = Merged();
  EXPECT_EQ(Of(merged, "a").error, 5e-14);
  EXPECT_EQ(Of(merged, "a").order, 9);
  EXPECT_EQ(Of(merged, "a").difference, 1e-12) << "no other method to differ from";
}

TEST_F(Agreement, AMethodThatFailedLaterIsReportedAsFailed) {
  Add("ok", {Method("a", 1e-12, 1e-14), Method("b", 2e-12, 1e-13)});
  Add("no_reference", Json::array({Method("a", nullptr, nullptr, 6, "singular: at a joint")}));
  const Trial merged = Merged();
  EXPECT_FALSE(Of(merged, "a").error);
  EXPECT_FALSE(Of(merged, "a").difference);
  EXPECT_EQ(Of(merged, "a").reason, "singular: at a joint");
}

TEST_F(Agreement, OfTwoChecksOfEqualSizeTheNewerOneCounts) {
  Add("inaccurate", {Method("a", 1e-3, 1e-14), Method("b", 1e-3, 1e-13)});
  Add("ok", {Method("a", 1e-12, 1e-14), Method("b", 2e-12, 1e-13)});
  EXPECT_EQ(Merged().outcome, "ok");
  EXPECT_EQ(Of(Merged(), "a").difference, 1e-12);
}

TEST_F(Agreement, ADamagedCheckDoesNotHideOthers) {
  Add("ok", {Method("a", 1e-12, 1e-14), Method("b", 2e-12, 1e-13)});
  store_.Add(
      {.problem = "p", .kind = "agreement", .outcome = "crashed", .record = "{\"methods\": 3"});
  const Trial merged = Merged();
  EXPECT_EQ(merged.outcome, "ok");
  EXPECT_EQ(merged.record.agreement->methods.size(), 2u);
}

// Two methods have the same difference from each other.
TEST_F(Agreement, TheReferenceDecidesWhichOfTwoMethodsIsWrong) {
  Json right = Method("right", 1e-5, 1e-14), wrong = Method("wrong", 1e-5, 1e-5);
  right["judged"] = "ok";
  wrong["judged"] = "wrong_equations";
  Add("wrong_equations", {right, wrong});
  const Disagreements read = ReadDisagreements(Compared());
  EXPECT_THAT(read.wrong, testing::ElementsAre(testing::StartsWith("p: `wrong` is wrong: ")));
  EXPECT_TRUE(read.losses.empty());
  EXPECT_TRUE(read.open.empty());
}

}  // namespace
}  // namespace mbsbench::reports
