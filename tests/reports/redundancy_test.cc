// The page of mechanisms with redundant constraints.
#include <gmock/gmock.h>

#include <string>

#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

Json JointOf(const char* name, const char* classes, int undetermined) {
  return {{"joint", name},
          {"classes", classes},
          {"in_joint_axes", "NNUUUU"},
          {"undetermined", undetermined}};
}

Json FoundBy(const char* method, const Json& unique, const char* reason = "") {
  return {{"method", method}, {"error", 2e-15}, {"reason", reason}, {"unique", unique}};
}

class RedundancyPage : public testing::Test {
 protected:
  RedundancyPage() : store_(folder_ / "store.sqlite") {
    store_.AddRun();
    for (const char* method : {"right", "wrong", "silent", "refuses"}) store_.AddMethod(method);
    store_.Execute(
        R"(UPDATE method SET json = json_set(json, '$.reaction_choice', 'dropped-rows') WHERE spec = 'right')");
    store_.AddProblem("table", {{"bodies", 5}});
  }
  void AddAgreement(const Json& redundancy) {
    Json record = {{"states", 1},
                   {"truth", "113 bits"},
                   {"methods",
                    {FoundBy("right", {"--UUUU", "UUUUUU"}), FoundBy("wrong", {"U-U-UU", "UUUUUU"}),
                     FoundBy("silent", Json::array()),
                     FoundBy("refuses", Json::array(), "unsupported: joint 'a' closes a loop")}}};
    if (!redundancy.is_null()) record["redundancy"] = redundancy;
    store_.Add({.problem = "table", .kind = "agreement", .record = record.dump()});
  }
  static Json Redundant(double gap) {
    return {{"rows", 28},
            {"rank", 27},
            {"gap", gap},
            {"joints", {JointOf("hinge", "DNUUUU", 2), JointOf("rod", "UUUUUU", 0)}}};
  }
  Json Page() { return DataOfPage(ReadFile(WriteReport(store_.path(), folder_ / "out").html)); }
  auto Rows(const std::string& file) const { return ReadCsv(folder_ / ("out/csv/" + file)); }

  TestFolder folder_;
  FixtureStore store_;
};

TEST_F(RedundancyPage, TellsForEveryMethodWhetherItFindsTheUniqueComponents) {
  AddAgreement(Redundant(1e12));
  EXPECT_THAT(Page().dump(), HasSubstr("Redundancy and singularity"));
  const auto methods = Rows("redundancy_methods.csv");
  ASSERT_EQ(methods.size(), 4u);
  EXPECT_EQ(methods[0].at("unique components"), "agrees");
  EXPECT_EQ(methods[0].at("choice of the others"), "dropped-rows");
  EXPECT_NEAR(std::stod(methods[0].at("error of accelerations")), 2e-15, 1e-20);
  EXPECT_EQ(methods[1].at("unique components"), "differs: force x of 'hinge' and 1 more");
  EXPECT_EQ(methods[1].at("components that differ"), "2");
  EXPECT_EQ(methods[2].at("unique components"), "not reported");
  EXPECT_EQ(methods[3].at("unique components"), "unsupported");
}

TEST_F(RedundancyPage, HasRankFreedomsAndRedundantRowsOfEachMechanism) {
  AddAgreement(Redundant(1e12));
  Page();
  const auto mechanisms = Rows("redundancy.csv");
  ASSERT_EQ(mechanisms.size(), 1u);
  EXPECT_EQ(mechanisms[0].at("problem"), "table");
  EXPECT_EQ(mechanisms[0].at("rank"), "27");
  EXPECT_EQ(mechanisms[0].at("degrees of freedom"), "3");
  EXPECT_EQ(mechanisms[0].at("redundant rows"), "1");
  EXPECT_EQ(mechanisms[0].at("methods that agree"), "1");
  EXPECT_EQ(mechanisms[0].at("reactions"), "DNUUUU, UUUUUU");
  const auto joints = Rows("redundancy_joints.csv");
  ASSERT_EQ(joints.size(), 2u);
  EXPECT_EQ(joints[0].at("in the joint's axes"), "NNUUUU");
  EXPECT_EQ(joints[0].at("dimension not determined"), "2");
}

TEST_F(RedundancyPage, CallsARankUnclearWhoseGapIsSmall) {
  AddAgreement(Redundant(500));
  EXPECT_THAT(Page().dump(), HasSubstr("rank unclear"));
}

TEST_F(RedundancyPage, IsAbsentWithoutRedundantConstraints) {
  AddAgreement(nullptr);
  EXPECT_THAT(Page().dump(), Not(HasSubstr("Redundancy and singularity")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/csv/redundancy.csv"));
}

}  // namespace
}  // namespace mbsbench::report_tests
