// The report of an incomplete run.
#include <gmock/gmock.h>

#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;

constexpr const char* kWhole = "riccati-mstmm:general";
constexpr const char* kCut = "cartesian-dae:ggl";

const std::vector<double> kTargets = {1e-2, 1e-5, 1e-7};

class Coverage : public testing::Test {
 protected:
  Coverage() : store_(folder_ / "store.sqlite") {
    store_.AddRun("run1", "2025-01-01T00:00:00Z", "Test CPU", false);
    for (const char* method : {kWhole, kCut}) store_.AddMethod(method);
    store_.AddProblem("small", {{"bodies", 4},
                                {"loops", 0},
                                {"end_time", 2},
                                {"time", 0.5},
                                {"reference", {{"error_estimate", 1e-12}}}});
    store_.AddCell({"small", kWhole, "rk4", "accuracy", 1e-3}, 1e-2, {0.001});
    store_.AddCell({"small", kWhole, "rk4", "accuracy", 1e-13}, 1e-6, {0.016});
    store_.AddCell({"small", kCut, "ida", "accuracy", 1e-3}, 1e-2, {0.010});
  }
  std::string Markdown() {
    WriteReport(store_.path(), folder_ / "out");
    return WholeMarkdown(store_.path());
  }
  // The entry of a method at an error in the table of all targets.
  std::string StatusOf(const std::string& method, const std::string& error) {
    for (auto& row : ReadCsv(folder_ / "out/csv/time_at_target.csv")) {
      if (row["method"] == method && std::stod(row["target"]) == std::stod(error))
        return row["status"];
    }
    return "no such target";
  }

  TestFolder folder_;
  FixtureStore store_;
};

TEST_F(Coverage, AnUnfinishedRunIsAnnouncedBeforeItsNumbers) {
  store_.AddCoverage(Json::array({{"small", kCut, "ida"}}), kTargets);
  const std::string markdown = Markdown();
  EXPECT_THAT(markdown, HasSubstr("is unfinished"));
  EXPECT_THAT(markdown, HasSubstr("3 of 1,234 items"));
  EXPECT_THAT(markdown, HasSubstr("mbsbench run --quick --resume"));
  EXPECT_LT(markdown.find("is unfinished"), markdown.find("Median over problems, reached / taken"));
  EXPECT_THAT(markdown, HasSubstr("about 25 min more"));
}

TEST_F(Coverage, CellsNotRunYetAreNotCountedAsNotReached) {
  store_.AddCoverage(Json::array({{"small", kCut, "ida"}}), kTargets);
  const std::string markdown = Markdown();
  EXPECT_EQ("reached", StatusOf(kWhole, "1e-5"));
  EXPECT_EQ("not run yet", StatusOf(kCut, "1e-5"));
  EXPECT_EQ("not reached", StatusOf(kWhole, "1e-7")) << "its finest setting was run";
}

TEST_F(Coverage, OutcomesDistinguishCellsNotRunYetFromCellsNotRequested) {
  store_.AddMethod("variational");
  store_.AddCoverage(Json::array({{"small", kCut, "ida"}, {"small", "variational", "own"}}));
  const ReportFiles files = WriteReport(store_.path(), folder_ / "out");
  const Json page = DataOfPage(ReadFile(files.html));
  const Json* matrix = FindFigure(page["sections"], "outcomes", "Outcome of every cell");
  ASSERT_NE(matrix, nullptr);
  const std::string markdown = WholeMarkdown(store_.path());
  EXPECT_THAT(markdown, HasSubstr("| small | oo | o… | … |"));
  // A curve that lacks cells has at least one more than were run.
  EXPECT_EQ((*matrix)["data"]["rows"][0]["planned"], (Json{0, 2, 1}));
}

TEST_F(Coverage, ACurveThatLacksOnlyATimeIsNotReportedAsNotRun) {
  store_.AddCell({"small", kCut, "ida", "accuracy", 1e-7}, 1e-6, {});
  store_.AddCoverage(Json::array({{"small", kCut, "ida", "time"}}), kTargets);
  const std::string markdown = Markdown();
  EXPECT_EQ("not timed yet", StatusOf(kCut, "1e-5"));
  EXPECT_EQ("not found", StatusOf(kCut, "1e-7")) << "no cell is as accurate";
  EXPECT_THAT(markdown, HasSubstr("| not timed yet | - |")) << "at the target";
  EXPECT_THAT(markdown, HasSubstr("| small | oo | oo |")) << "all its cells were run";
}

TEST_F(Coverage, AnAccurateCellWithoutATimeIsReportedAsNotTimedYet) {
  store_.AddCell({"small", kCut, "ida", "accuracy", 1e-7}, 1e-6, {});
  WriteReport(store_.path(), folder_ / "out");
  EXPECT_EQ("not timed yet", StatusOf(kCut, "1e-6"));
  EXPECT_EQ("not found", StatusOf(kCut, "1e-9")) << "no cell is as accurate";
  for (const auto& row : ReadCsv(folder_ / "out/csv/overview_map.csv")) {
    if (row.at("methods") != "cartesian-dae" || row.at("measure") != "time_at_1e-6") continue;
    EXPECT_EQ(row.at("not_yet"), "1") << "the map says the same";
  }
}

TEST_F(Coverage, ACurveWithMissingCellsIsMarkedIncompleteAlsoWithAMissingTime) {
  store_.AddCell({"small", kCut, "ida", "accuracy", 1e-7}, 1e-6, {});
  store_.AddCoverage(Json::array({{"small", kCut, "ida"}}), kTargets);
  EXPECT_THAT(Markdown(), HasSubstr("| small | oo | oo… |"));
}

TEST_F(Coverage, AStoreOfEvaluationsOnlyIsReportedAsSuch) {
  FixtureStore store(folder_ / "evaluations.sqlite");
  store.AddRun();
  store.AddProblem("small", {{"bodies", 4}});
  TrialRow row{.problem = "small", .method = kWhole, .kind = "evaluation"};
  row.record = Json{{"nanoseconds_per_body", 70}, {"what", "accelerations"}}.dump();
  store.Add(row);
  const char* const sentence =
      "No motion was run: this store holds single evaluations of 1 method on 1 problem.";
  EXPECT_THAT(Summary(store.path()), HasSubstr(sentence));
  const std::string markdown = WholeMarkdown(store.path());
  EXPECT_THAT(markdown, HasSubstr(sentence));
  EXPECT_THAT(markdown, testing::Not(HasSubstr("No cell has finished")));
  EXPECT_THAT(markdown, testing::Not(HasSubstr("no finished cell")));
}

TEST_F(Coverage, TargetsThatACompleteCurveMissesAreNotFoundUnlessItsFinestSettingWasRun) {
  store_.AddCoverage(Json::array(), kTargets);
  Markdown();
  EXPECT_EQ("not found", StatusOf(kCut, "1e-5"));
  EXPECT_EQ("not reached", StatusOf(kWhole, "1e-7"));
}

TEST_F(Coverage, TheSummarySaysHowToGoOnAsTheProgramWasCalledOrByWhatCalledIt) {
  store_.AddCoverage(Json::array({{"small", kCut, "ida"}}), kTargets);
  EXPECT_THAT(Summary(store_.path(), "build/mbsbench"),
              HasSubstr("goes on by: build/mbsbench run --quick --resume\n"));
  EXPECT_THAT(Summary(store_.path(), "build/mbsbench", "make suite"),
              HasSubstr("goes on by: make suite\n"));
}

}  // namespace
}  // namespace mbsbench::report_tests
