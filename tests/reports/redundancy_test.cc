// The page of mechanisms with redundant constraints.
#include <gmock/gmock.h>

#include <map>
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

Json RankAtTime(double time, int rank, double least, double gap) {
  return {{"time", time}, {"rank", rank}, {"least", least}, {"gap", gap}};
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
  void AddAgreement(const Json& redundancy, const Json& dropped = Json::array()) {
    Json record = {{"states", 1},
                   {"truth", "113 bits"},
                   {"methods",
                    {FoundBy("right", {"--UUUU", "UUUUUU"}), FoundBy("wrong", {"U-U-UU", "UUUUUU"}),
                     FoundBy("silent", Json::array()),
                     FoundBy("refuses", Json::array(), "unsupported: joint 'a' closes a loop")}}};
    if (!redundancy.is_null()) record["redundancy"] = redundancy;
    record["methods"][0]["dropped"] = dropped;
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

TEST_F(RedundancyPage, NamesTheRowsThatAMethodLeavesOutOrSaysThatTheyAreNotKnown) {
  const auto row = [](const char* joint, const Json& rows) {
    return Json{{"joint", joint}, {"rows", rows}};
  };
  AddAgreement(Redundant(1e12), {row("hinge", {"force x", "force y"}), row("rod", {"force x"}),
                                 row("pin", {"force x", "force y"})});
  Page();
  auto methods = Rows("redundancy_methods.csv");
  EXPECT_EQ(methods[0].at("rows left out"), "'hinge', 'pin': force x, force y; 'rod': force x");
  EXPECT_EQ(methods[1].at("rows left out"), "") << "it chooses otherwise";
  AddAgreement(Redundant(1e12));
  Page();
  EXPECT_EQ(Rows("redundancy_methods.csv")[0].at("rows left out"), "not known");
}

TEST_F(RedundancyPage, ShowsTheRankAlongTheMotionOrThatItIsNotKnown) {
  AddAgreement(Redundant(1e12));
  EXPECT_THAT(Page().dump(), HasSubstr("The rank along the motion is not known"));
  Json redundancy = Redundant(1e12);
  redundancy["path"] = {RankAtTime(0, 27, 0.25, 1e14), RankAtTime(1.5, 26, 0.125, 50)};
  AddAgreement(redundancy);
  const std::string page = Page().dump();
  EXPECT_THAT(page, Not(HasSubstr("The rank along the motion is not known")));
  EXPECT_THAT(page, HasSubstr("rank unclear"));
  const auto ranks = Rows("redundancy_ranks.csv");
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[1].at("time_s"), "1.5");
  EXPECT_EQ(ranks[1].at("rank"), "26");
  EXPECT_EQ(ranks[1].at("degrees of freedom"), "4");
  EXPECT_EQ(ranks[1].at("least singular value"), "0.125");
  EXPECT_EQ(Rows("redundancy.csv")[0].at("largest condition along the motion"), "8");
}

// Two cells of `right` follow the reference; of `wrong` the earlier one to leave it is shown; `silent` stops.
TEST_F(RedundancyPage, TellsWhichBranchEachCurveFollowsAfterSingularPositions) {
  store_.AddProblem("linkage", {{"branch", {"angle of a is 0 within 0.1"}}});
  const auto cell = [this](const char* method, double tolerance, const char* outcome,
                           const Json& record) {
    store_.Add({.problem = "linkage",
                .method = method,
                .integrator = "rk",
                .tolerance = tolerance,
                .outcome = outcome,
                .record = record.dump()});
  };
  const auto left = [](double time, const Json& others) {
    return Json{{"left_branch",
                 {{"time", time},
                  {"quantity", "angle of a"},
                  {"value", 1.25},
                  {"expected", 0},
                  {"bound", 0.1},
                  {"others", others},
                  {"motions", {"the rod folds"}}}}};
  };
  cell("right", 1e-3, "inaccurate", Json::object());
  cell("right", 1e-6, "ok", Json::object());
  cell("wrong", 1e-3, "diverged", left(2, Json::array()));
  cell("wrong", 1e-6, "diverged", left(0.75, {"angle of b"}));
  cell("wrong", 1e-9, "diverged", Json::object());
  cell("silent", 1e-3, "singular", {{"time_reached", 0.7}});
  cell("refuses", 1e-3, "unsupported", Json::object());
  EXPECT_THAT(Page().dump(), HasSubstr("angle of a is 0 within 0.1"));
  const auto branches = Rows("redundancy_branches.csv");
  ASSERT_EQ(branches.size(), 3u);
  std::map<std::string, std::map<std::string, std::string>> of;
  for (const auto& row : branches) of[row.at("method")] = row;
  const auto counts = [&of](const char* method) {
    const auto& row = of[method];
    return row.at("on the reference's branch") + " " + row.at("on another") + " " +
           row.at("stopped as singular") + " " + row.at("not known");
  };
  EXPECT_EQ(counts("right"), "2 0 0 0");
  EXPECT_EQ(of["right"].at("the other branch"), "");
  EXPECT_EQ(of["wrong"].at("its motion"), "the rod folds") << "once";
  EXPECT_EQ(counts("wrong"), "0 2 0 1");
  EXPECT_EQ(of["wrong"].at("the other branch"),
            "angle of a is 1.25 at 0.75 s, 0 on the reference's; also left: angle of b");
  EXPECT_EQ(counts("silent"), "0 0 1 0");
  EXPECT_EQ(of["silent"].at("first_stop_s"), "0.7");
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
  const auto joints = Rows("redundancy_joints.csv");
  ASSERT_EQ(joints.size(), 2u);
  EXPECT_EQ(joints[0].at("in inertial axes"), "DNUUUU");
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
