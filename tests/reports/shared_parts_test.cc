// Methods that close loops by the same code agree on them whether it is right or wrong.
#include <gmock/gmock.h>

#include "reports/analysis/shared_parts.h"
#include "tests/reports/fixture_store.h"

namespace mbsbench::reports {
namespace {

using report_tests::FixtureStore;
using report_tests::TestFolder;
using report_tests::TrialRow;

class SharedPartsTest : public testing::Test {
 protected:
  void AddMethod(const std::string& spec, const Json& parts) {
    Json document{{"spec", spec}, {"form", "ode"}};
    if (!parts.is_null()) document["shared_parts"] = parts;
    store_.Execute("INSERT INTO method VALUES ('run1', '" + spec + "', '" + document.dump() + "')");
    methods_.push_back({{"method", spec}, {"difference", 1e-12}, {"error", 1e-13}});
  }
  SharedParts Read(int loops) {
    store_.AddRun();
    store_.AddProblem("p", {{"bodies", 3}, {"loops", loops}});
    TrialRow row{.problem = "p", .kind = "agreement"};
    row.record = Json{{"states", 4}, {"methods", methods_}}.dump();
    store_.Add(row);
    results_ = ReadResults(store_.path());
    comparison_ = Compare(results_);
    return SharedParts(comparison_, comparison_.problems.at(0));
  }

  TestFolder folder_;
  FixtureStore store_{folder_ / "store.sqlite"};
  Json methods_ = Json::array();
  Results results_;
  Comparison comparison_;
};

TEST_F(SharedPartsTest, ThreeMethodsAreTwoWaysOfClosingLoopsIfTwoShareOne) {
  AddMethod("a", {"loop closure", "springs"});
  AddMethod("b:x", {"loop closure"});
  AddMethod("c", {"absolute constraints", "springs"});
  const SharedParts shared = Read(1);
  EXPECT_EQ(shared.IndependentOnLoops(), 2);
  EXPECT_EQ(shared.OnLoops(), "a, b share loop closure");
  EXPECT_EQ(shared.Of("a"), "shares loop closure with b:x; springs with c");
  EXPECT_EQ(shared.Of("b:x"), "shares loop closure with a");
  EXPECT_EQ(shared.Of("c"), "shares springs with a");
}

TEST_F(SharedPartsTest, MethodsThatAllShareTheClosureCountOnce) {
  AddMethod("a", {"loop closure"});
  AddMethod("b", {"loop closure"});
  EXPECT_EQ(Read(2).IndependentOnLoops(), 1);
}

TEST_F(SharedPartsTest, VariantsOfOneMethodCountOnceAndAreNotListedAsSharing) {
  AddMethod("a:x", {"springs"});
  AddMethod("a:y", {"springs"});
  const SharedParts shared = Read(1);
  EXPECT_EQ(shared.IndependentOnLoops(), 1);
  EXPECT_EQ(shared.Of("a:x"), "");
}

TEST_F(SharedPartsTest, TreesMakeNoStatementOnLoops) {
  AddMethod("a", {"loop closure"});
  AddMethod("b", {"loop closure"});
  const SharedParts shared = Read(0);
  EXPECT_FALSE(shared.IndependentOnLoops());
  EXPECT_EQ(shared.OnLoops(), "");
  EXPECT_EQ(shared.Of("a"), "shares loop closure with b");
}

TEST_F(SharedPartsTest, AStoreWithoutSharedPartsGivesNoStatement) {
  AddMethod("a", nullptr);
  AddMethod("b", {"loop closure"});
  EXPECT_FALSE(Read(1).IndependentOnLoops());
}

}  // namespace
}  // namespace mbsbench::reports
