// What the report tells of benchmarks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/bench_history.h"
#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using reports::ChangePoints;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(ChangePoints, MarkANewLevelAndNoScatter) {
  const auto of_times = [](const std::vector<double>& ratios) {
    return ChangePoints(ratios, false);
  };
  EXPECT_THAT(of_times({1, 1.004, 0.997, 1.003, 0.999}), IsEmpty());
  EXPECT_THAT(of_times({1, 1.001, 1.05, 1.049, 1.051}), ElementsAre(2));
  EXPECT_THAT(of_times({1, 1, 0.9, 0.9, 1, 1}), ElementsAre(2, 4));
  EXPECT_THAT(of_times({1, 1, 1, 1.03}), ElementsAre(3)) << "the latest run counts";
  EXPECT_THAT(of_times({1, 1, 1, 1.2, 1, 1, 1}), IsEmpty()) << "one outlier is no level";
  EXPECT_THAT(of_times({1, 1.06, 1, 1.05, 1.01, 1.06}), IsEmpty()) << "its usual scatter";
  EXPECT_THAT(of_times({1, 1.1}), IsEmpty()) << "two times say nothing of their scatter";
  EXPECT_THAT(of_times({1}), IsEmpty());
}

TEST(ChangePoints, OfExactCountsNeedNoScatter) {
  EXPECT_THAT(ChangePoints({1, 1.02}, true), ElementsAre(1));
  EXPECT_THAT(ChangePoints({1, 1.005, 1.005, 0.98, 0.98}, true), ElementsAre(3));
}

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
  return ReadFile(WriteReport(store.path(), folder / "report").markdown);
}

TEST(Regressions, AbsentBenchmarksAreSaidWithTheCommandThatMakesThem) {
  const TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddRun();
  EXPECT_THAT(MarkdownOf(store, folder),
              HasSubstr("No benchmarks are in this store. `mbsbench bench`"));
  // A store from before there were any.
  store.Execute("DROP TABLE bench; DROP TABLE bench_run");
  EXPECT_THAT(MarkdownOf(store, folder), HasSubstr("No benchmarks are in this store"));
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
  // Another machine has a history of its own.
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

TEST(Regressions, PairsAndTheRateOfFalseAlarms) {
  const TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddRun();
  const Json before = {{"commit", "before"}, {"binary_hash", "hash of before"}},
             after = {{"commit", "after"}, {"binary_hash", "hash of after"}};
  store.AddBenchRun("1", "after", before);  // two builds: no A/A
  store.AddBench("1", "paired", "tree12", "riccati", "worse", {}, Paired("riccati", true));
  store.AddBenchRun("2", "after", after);  // one with itself
  store.AddBench("2", "paired", "tree12", "riccati", "alike", {}, Paired("riccati"));
  store.AddBench("2", "paired", "fourbar", "riccati", "alike", {}, Paired("riccati", true));
  store.AddBench("2", "paired", "chain", "riccati", "worse", {}, Paired("riccati", true));
  store.AddBench("2", "paired", "top", "riccati", "inconclusive", {}, Paired("riccati"));
  store.AddBenchRun("3", "after", after);  // two methods
  store.AddBench("3", "paired", "tree12", "riccati", "worse", {}, Paired("articulated"));
  const std::string text = MarkdownOf(store, folder);
  EXPECT_THAT(text, HasSubstr("| before | after | worse | 1.051 | 1.048 | 1.055 | 12 | 1 |"));
  EXPECT_THAT(text, HasSubstr("| articulated | riccati | two methods | 1.051 |"));
  EXPECT_THAT(
      text, HasSubstr("of 3 paired verdicts of builds with themselves, 1 flagged a change (33 %)"));
  EXPECT_THAT(text, HasSubstr("1 looked changed in the screening"));
}

}  // namespace
}  // namespace mbsbench::report_tests
