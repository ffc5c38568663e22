// The report of a run that was cut.
#include <gmock/gmock.h>

#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;

constexpr const char* kWhole = "riccati-mstmm:general";
constexpr const char* kCut = "cartesian-dae:ggl";

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
    store_.AddCell({"small", kWhole, "rk4", "accuracy", 1e-7}, 1e-6, {0.016});
    store_.AddCell({"small", kCut, "ida", "accuracy", 1e-3}, 1e-2, {0.010});
  }
  std::string Markdown() { return ReadFile(WriteReport(store_.path(), folder_ / "out").markdown); }
  // Of a method at an error: what stands in the table of all targets.
  std::string StatusOf(const std::string& method, const std::string& error) {
    for (auto& row : ReadCsv(folder_ / "out/csv/targets.csv")) {
      if (row["method"] == method && std::stod(row["error"]) == std::stod(error))
        return row["status"];
    }
    return "no such target";
  }

  TestFolder folder_;
  FixtureStore store_;
};

TEST_F(Coverage, AnUnfinishedRunIsSaidSoBeforeAnyNumberOfIt) {
  store_.AddCoverage(Json::array({{"small", kCut, "ida"}}));
  const std::string markdown = Markdown();
  EXPECT_THAT(markdown, HasSubstr("is unfinished"));
  EXPECT_THAT(markdown, HasSubstr("3 of 1,234 cells"));
  EXPECT_THAT(markdown, HasSubstr("mbsbench run --quick --resume"));
  EXPECT_LT(markdown.find("is unfinished"), markdown.find("Time over that of the fastest"));
  EXPECT_THAT(markdown, HasSubstr("about 25 min more"));
}

TEST_F(Coverage, WhatIsNotRunYetCountsNowhereAsNotReached) {
  store_.AddCoverage(Json::array({{"small", kCut, "ida"}}));
  const std::string markdown = Markdown();
  EXPECT_EQ("reached", StatusOf(kWhole, "1e-5"));
  EXPECT_EQ("not run yet", StatusOf(kCut, "1e-5"));
  EXPECT_EQ("not reached", StatusOf(kWhole, "1e-7")) << "its curve is complete";
}

TEST_F(Coverage, OfACompleteCurveWhatWasNotReachedIsSaidSo) {
  store_.AddCoverage(Json::array());
  Markdown();
  EXPECT_EQ("not reached", StatusOf(kCut, "1e-5"));
}

}  // namespace
}  // namespace mbsbench::report_tests
