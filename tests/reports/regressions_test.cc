// Benchmarks in the report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

Json Timed(double control, double instructions) {
  return {{"control_minimum", control}, {"instructions", instructions}};
}

Json Paired(const std::string& base_method, bool confirmed = false) {
  const Json judged = {
      {"ratio", 1.051}, {"low", 1.048}, {"high", 1.055}, {"kept", 12}, {"dropped", 1}};
  return {{"base_method", base_method},
          {"screened", judged},
          {"confirmed", confirmed ? judged : Json(nullptr)}};
}

std::string MarkdownOf(const FixtureStore& store, const TestFolder& folder) {
  WriteReport(store.path(), folder / "report");
  return WholeMarkdown(store.path());
}

TEST(Regressions, AStoreWithoutBenchmarksHasNoPageOfTheirHistory) {
  const TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddRun();
  EXPECT_THAT(MarkdownOf(store, folder), Not(HasSubstr("Speed history")));
}

TEST(Regressions, AStoreOfBenchmarksOnlyGivesAReport) {
  const TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddBenchRun("1", "before");
  store.AddBench("1", "time", "tree12", "riccati", "", 1e-6, Timed(0.005, 1000));
  store.AddBenchRun("2", "after");
  store.AddBench("2", "time", "tree12", "riccati", "", 1e-6, Timed(0.005, 1100));
  const std::string text = MarkdownOf(store, folder);
  EXPECT_THAT(text, HasSubstr("| 1.100 | run 2 (after) |"));
  const Json page = DataOfPage(ReadFile(folder / "report/report.html"));
  ASSERT_EQ(1u, page.at("pages").size()) << "nothing of a comparison";
  EXPECT_EQ("history", page.at("pages").at(0).at("route"));
  EXPECT_THAT(Summary(store.path()),
              HasSubstr("2 benchmark runs, the latest 2025-01-01T00:00:02Z"));
}

TEST(Regressions, HistoryIsRelativeToTheControlKernelAndToTheFirstRun) {
  const TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddRun();
  // The machine is half as fast in the second run, the method 10 % slower.
  store.AddBenchRun("1", "before");
  store.AddBench("1", "time", "tree12", "riccati", "", 1e-6, Timed(0.005, 1000));
  store.AddBenchRun("2", "after");
  store.AddBench("2", "time", "tree12", "riccati", "", 2.2e-6, Timed(0.010, 1100));
  // Another machine has a separate history.
  store.AddBenchRun("3", "after", nullptr, "Other CPU");
  store.AddBench("3", "time", "tree12", "riccati", "", 9e-6, Timed(0.005, 1100));
  const std::string text = MarkdownOf(store, folder);
  EXPECT_THAT(text, HasSubstr("tree12 riccati accelerations"));
  EXPECT_THAT(text, HasSubstr("| 1.100 | run 2 (after) |"));
  EXPECT_THAT(text, Not(HasSubstr("| 9.000 |")));
  EXPECT_THAT(text, HasSubstr("Other CPU"));
  EXPECT_THAT(ReadFile(folder / "report/csv/bench_history.csv"), HasSubstr("after,2.2e-06,1."));
  EXPECT_THAT(DataOfPage(ReadFile(folder / "report/report.html")).dump(),
              HasSubstr("\"drawn_as\":\"history\""));
}

TEST(Regressions, ListPairsOfBuildsAndOfMethods) {
  const TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddRun();
  const Json before = {{"commit", "before"}, {"binary_hash", "hash of before"}},
             after = {{"commit", "after"}, {"binary_hash", "hash of after"}};
  store.AddBenchRun("1", "after", before);  // two builds
  store.AddBench("1", "paired", "tree12", "riccati", "worse", {}, Paired("riccati", true));
  store.AddBenchRun("3", "after", after);  // two methods
  store.AddBench("3", "paired", "tree12", "riccati", "worse", {}, Paired("articulated"));
  const std::string text = MarkdownOf(store, folder);
  EXPECT_THAT(text, HasSubstr("| before | after | worse | 1.051 | 1.048 | 1.055 | 12 | 1 |"));
  EXPECT_THAT(text, HasSubstr("| articulated | riccati | two methods | 1.051 |"));
}

}  // namespace
}  // namespace mbsbench::report_tests
