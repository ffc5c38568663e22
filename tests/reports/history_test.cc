// Series over the runs of several stores, and where they change.
#include "reports/analysis/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reports/pages/history_page.h"
#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using reports::CaseHistory;
using reports::ChangePoints;
using reports::Index;
using reports::RunHistory;
using reports::Tracked;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ChangePoints, MarkANewLevelButNotScatter) {
  const auto of_times = [](const std::vector<double>& ratios) {
    return ChangePoints(ratios, Tracked::kTime);
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
  EXPECT_THAT(ChangePoints({1, 1.02}, Tracked::kInstructions), ElementsAre(1));
  EXPECT_THAT(ChangePoints({1, 1.005, 1.005, 0.98, 0.98}, Tracked::kInstructions), ElementsAre(3));
}

TEST(ChangePoints, OfErrorsRequireAFactorOfTwo) {
  EXPECT_THAT(ChangePoints({1, 1.5, 1.9, 1}, Tracked::kError), IsEmpty());
  EXPECT_THAT(ChangePoints({1, 1, 3, 3, 1e-3}, Tracked::kError), ElementsAre(2, 4));
}

// Times with a scatter of 1 % and a step in the middle.
std::vector<double> Synthetic(std::mt19937_64& random, std::size_t runs, double step) {
  std::normal_distribution<double> scatter(0, 0.01);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < runs; ++i)
    ratios.push_back(std::exp(scatter(random) + (i >= runs / 2 ? step : 0)));
  return ratios;
}

TEST(ChangePoints, AreRareInUnchangedSeries) {
  constexpr int kSeries = 2000;
  for (auto [runs, most] : {std::pair{std::size_t{10}, 0.04}, {30, 0.025}, {100, 0.015}}) {
    std::mt19937_64 random(runs);
    int alarms = 0;
    for (int i = 0; i < kSeries; ++i)
      alarms += ChangePoints(Synthetic(random, runs, 0), Tracked::kTime).empty() ? 0 : 1;
    std::printf("  %zu runs: %.2f %% of series with a false alarm\n", runs,
                100. * alarms / kSeries);
    EXPECT_LT(alarms, most * kSeries) << runs << " runs";
  }
}

TEST(ChangePoints, LocateAStepOfFiveTimesTheScatter) {
  constexpr int kSeries = 1000;
  for (double step : {0.05, -0.05}) {
    std::mt19937_64 random(7);
    int found = 0, others = 0;
    for (int i = 0; i < kSeries; ++i) {
      for (std::size_t change : ChangePoints(Synthetic(random, 30, step), Tracked::kTime)) {
        if (change >= 13 && change <= 17)
          ++found;
        else
          ++others;
      }
    }
    std::printf("  a step of %g: found in %.1f %%, elsewhere in %.1f %%\n", step,
                100. * found / kSeries, 100. * others / kSeries);
    EXPECT_GT(found, 0.9 * kSeries);
    EXPECT_LT(others, 0.1 * kSeries);
  }
}

const CaseHistory* Find(const RunHistory& history, const std::string& name) {
  for (const auto& group : history.groups) {
    for (const CaseHistory& one : group.cases) {
      if (one.name == name) return &one;
    }
  }
  return nullptr;
}

class HistoryTest : public testing::Test {
 protected:
  static void AddCell(FixtureStore& store, const std::string& run, double error, double seconds) {
    store.AddProblem("small", {{"bodies", 2}, {"reference", {{"attainable_error", 1e-12}}}}, run);
    TrialRow row{"small", "fast", "rk4", "accuracy", 1e-7};
    row.run = run;
    row.record = Json{{"error", {{"max", error}}}}.dump();
    store.Add(row);
    row.kind = "time";
    row.cpu_seconds = seconds;
    row.record = R"({"control_seconds": 0.005})";
    store.Add(row);
    row.round = 1;
    row.cpu_seconds = 2 * seconds;
    store.Add(row);
  }
  TestFolder folder_;
};

TEST_F(HistoryTest, RunsOfSeveralStoresFormOneSeriesInTheOrderOfTheirStart) {
  {
    FixtureStore late(folder_ / "late.sqlite"), early(folder_ / "early.sqlite");
    late.AddRun("third", "2025-03-01T00:00:00Z");
    AddCell(late, "third", 1e-6, 0.002);
    early.AddRun("first", "2025-01-01T00:00:00Z");
    AddCell(early, "first", 1e-9, 0.001);
    early.AddRun("second", "2025-02-01T00:00:00Z");
    AddCell(early, "second", 1.4e-9, 0.001);
    early.AddBenchRun("1", "before");
    early.AddBench("1", "time", "tree12", "riccati", "", 1e-6,
                   {{"control_minimum", 0.005}, {"instructions", 1000}});
    late.AddBenchRun("1", "before");  // a copy
    late.AddBench("1", "time", "tree12", "riccati", "", 1e-6,
                  {{"control_minimum", 0.005}, {"instructions", 1000}});
    late.AddBenchRun("2", "after");
    late.AddBench("2", "time", "tree12", "riccati", "", 1e-6,
                  {{"control_minimum", 0.010}, {"instructions", 1100}});
  }
  const RunHistory history = ReadHistory({folder_ / "late.sqlite", folder_ / "early.sqlite"});
  ASSERT_EQ(5u, history.runs.size()) << "a copy of a run is that run";
  EXPECT_EQ("third", history.runs.back().id);
  const CaseHistory* cell = Find(history, "small fast, rk4 tol 1e-7 to 1 s");
  ASSERT_TRUE(cell);
  ASSERT_EQ(3u, cell->points.size());
  EXPECT_DOUBLE_EQ(0.001, *cell->points[0].value[Index(Tracked::kTime)]) << "the least round";
  EXPECT_DOUBLE_EQ(2, *cell->points[2].ratio[Index(Tracked::kTime)]);
  EXPECT_NEAR(1000, *cell->points[2].ratio[Index(Tracked::kError)], 1e-9);
  EXPECT_THAT(cell->changes[Index(Tracked::kError)], ElementsAre(2)) << "and not by 1.4";
  EXPECT_FALSE(cell->Has(Tracked::kInstructions));
  const CaseHistory* kernel = Find(history, "tree12 riccati accelerations");
  ASSERT_TRUE(kernel);
  ASSERT_EQ(2u, kernel->points.size());
  EXPECT_DOUBLE_EQ(0.5, *kernel->points[1].ratio[Index(Tracked::kTime)])
      << "on a machine half as fast";
  EXPECT_THAT(kernel->changes[Index(Tracked::kInstructions)], ElementsAre(1));
  WriteHistoryPage(history, folder_ / "history.html");
  const std::string page = DataOfPage(ReadFile(folder_ / "history.html")).dump();
  EXPECT_THAT(page, HasSubstr("Instructions over the runs"));
  EXPECT_THAT(page, HasSubstr("Errors over the runs"));
  EXPECT_THAT(page, HasSubstr("run 5 (abcdef0123)")) << "where the error changed";
}

// Also where the latest build ran twice, and whatever a cell did before; a cell that was not tried is no change.
TEST_F(HistoryTest, CellsThatBecameWrongWithTheLastBuildAreNamed) {
  FixtureStore store(folder_ / "store.sqlite");
  auto add = [&store, day = 1](const std::string& build,
                               const std::vector<std::string>& outcomes) mutable {
    const std::string run = fmt::format("run{}", day);
    store.AddRun(run, fmt::format("2025-01-0{}T00:00:00Z", day++));
    store.Execute(
        fmt::format("UPDATE run SET build = json_set(build, '$.binary_hash', '{}') WHERE id = '{}'",
                    build, run));
    store.AddProblem("small", {{"bodies", 2}}, run);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      TrialRow row{"small", fmt::format("m{}", i), "rk4", "accuracy", 1e-7};
      row.run = run;
      row.outcome = outcomes[i];
      row.reason = outcomes[i] == "singular" ? "no inertia" : "";
      row.record = outcomes[i] == "ok" ? R"({"error": {"max": 1e-9}})" : "{}";
      store.Add(row);
    }
  };
  add("old", {"ok", "ok", "singular", "ok", "ok", "inaccurate"});
  add("new", {"ok", "singular", "singular", "inaccurate", "skipped", "ok"});
  add("new", {"ok", "singular", "singular", "inaccurate", "skipped", "ok"});
  const RunHistory history = ReadHistory({store.path()});
  std::vector<std::string> wrong;
  for (const reports::WrongCell& w : BecameWrong(history))
    wrong.push_back(w.cell->method + " " + WrongText(w));
  EXPECT_THAT(wrong, ElementsAre("m1 ok in run 1, singular in run 3: no inertia",
                                 "m3 ok in run 1, inaccurate in run 3"));
  WriteHistoryPage(history, folder_ / "history.html");
  EXPECT_THAT(DataOfPage(ReadFile(folder_ / "history.html")).dump(),
              HasSubstr("Cells that became wrong"));
}

TEST_F(HistoryTest, ErrorsBelowTheFloorOfRoundOffAreNotAChange) {
  FixtureStore store(folder_ / "store.sqlite");
  int day = 1;
  for (double error : {1e-14, 4e-13, 2e-15}) {
    const std::string run = fmt::format("run{}", day);
    store.AddRun(run, fmt::format("2025-01-0{}T00:00:00Z", day++));
    AddCell(store, run, error, 0.001);
  }
  const RunHistory history = ReadHistory({store.path()});
  const CaseHistory* cell = Find(history, "small fast, rk4 tol 1e-7 to 1 s");
  ASSERT_TRUE(cell);
  EXPECT_THAT(cell->changes[Index(Tracked::kError)], IsEmpty());
  EXPECT_DOUBLE_EQ(1, *cell->points[1].ratio[Index(Tracked::kError)]);
}

TEST_F(HistoryTest, ADamagedTrialIsNamedAndLeftOut) {
  FixtureStore store(folder_ / "store.sqlite");
  store.AddRun("run", "2025-01-01T00:00:00Z");
  AddCell(store, "run", 1e-9, 0.001);
  store.Execute("UPDATE trial SET record = '{' WHERE kind = 'accuracy'");
  const RunHistory history = ReadHistory({store.path()});
  EXPECT_THAT(history.warnings, ElementsAre(HasSubstr("The accuracy trial of small by fast, rk4")));
  const CaseHistory* cell = Find(history, "small fast, rk4 tol 1e-7 to 1 s");
  ASSERT_TRUE(cell);
  EXPECT_TRUE(cell->Has(Tracked::kTime));
  EXPECT_FALSE(cell->Has(Tracked::kError));
  WriteHistoryPage(history, folder_ / "history.html");
  EXPECT_THAT(DataOfPage(ReadFile(folder_ / "history.html")).dump(),
              HasSubstr("could not be read and is left out"));
}

TEST_F(HistoryTest, OtherProcessorsHaveSeparateSeries) {
  FixtureStore store(folder_ / "store.sqlite");
  store.AddRun("one", "2025-01-01T00:00:00Z");
  AddCell(store, "one", 1e-9, 0.001);
  store.AddRun("two", "2025-01-02T00:00:00Z", "Other CPU");
  AddCell(store, "two", 1e-6, 0.001);
  const RunHistory history = ReadHistory({store.path()});
  ASSERT_EQ(2u, history.groups.size());
  for (const auto& group : history.groups) {
    ASSERT_EQ(1u, group.cases.size());
    EXPECT_THAT(group.cases[0].changes[Index(Tracked::kError)], IsEmpty());
  }
  EXPECT_THROW(ReadHistory({folder_ / "none.sqlite"}), ReportError);
}

}  // namespace
}  // namespace mbsbench::report_tests
