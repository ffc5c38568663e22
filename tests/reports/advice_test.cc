#include "reports/analysis/advice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reports/report.h"
#include "tests/reports/fixture_store.h"

namespace mbsbench::reports {
namespace {

using report_tests::FixtureStore;
using report_tests::TestFolder;

using Series = std::vector<std::optional<double>>;

Series Over(int samples, double (*drift)(double)) {
  Series series;
  for (int k = 0; k <= samples; ++k) series.emplace_back(drift(static_cast<double>(k) / samples));
  return series;
}

TEST(DriftGrowth, DetectsLinearAndQuadraticGrowth) {
  EXPECT_TRUE(Grows(Over(100, [](double t) { return 1e-7 * t * t; })));
  EXPECT_TRUE(Grows(Over(100, [](double t) { return 1e-9 * t; })));
  EXPECT_TRUE(Grows(Over(100, [](double t) { return 1e-7 * t * t * (1.2 + std::sin(40 * t)); })));
}

TEST(DriftGrowth, AcceptsABoundedDrift) {
  EXPECT_FALSE(Grows(Over(100, [](double) { return 1e-7; })));
  EXPECT_FALSE(Grows(Over(100, [](double t) { return 1e-7 * (1.1 + std::sin(40 * t)); })));
  EXPECT_FALSE(Grows(Over(100, [](double t) { return 1e-15 * t; })));  // round-off
  EXPECT_FALSE(Grows({}));
}

// From rest, the residual of a stabilised scheme follows the speed.
TEST(DriftGrowth, AcceptsADriftThatFollowsAnAcceleratingMotion) {
  const auto speed = [](double t) { return 1 - std::exp(-4 * t); };
  EXPECT_FALSE(Grows(Over(100, [](double t) { return 1e-7 * std::pow(1 - std::exp(-4 * t), 2); })));
  EXPECT_GT(std::pow(speed(5. / 6) / speed(1. / 6), 2), 3);  // the last third against the first
}

// One cell of a method: its error, time and how its constraints drift.
void AddCellOfMethod(FixtureStore& store, const std::string& method, double error, double seconds,
                     double drift, bool grows, double tolerance) {
  report_tests::Json times = report_tests::Json::array(), series = report_tests::Json::array();
  for (int k = 0; k <= 100; ++k) {
    times.push_back(0.01 * k);
    series.push_back(k == 0 ? 0 : grows ? drift * 1e-4 * k * k : drift);
  }
  store.AddCell(
      {.problem = "loop", .method = method, .integrator = "dopri5", .tolerance = tolerance}, error,
      {seconds, 1.01 * seconds, 1.02 * seconds},
      {{"times", times},
       {"position_drift", series},
       {"velocity_drift", series},
       {"position_drift_max", drift},
       {"velocity_drift_max", drift}});
}

void AddCell(FixtureStore& store, const std::string& method, double error, double seconds,
             double drift, bool grows) {
  store.AddMethod(method);
  AddCellOfMethod(store, method, error, seconds, drift, grows, 1e-8);
}

class AdviceTest : public testing::Test {
 protected:
  AdviceTest() {
    store_.AddRun();
    store_.AddProblem("loop");
  }
  Advice Ask(const OtherFault& other = {}) { return AdviceOf(store_.path(), "loop", 1e-6, other); }

  TestFolder folder_;
  FixtureStore store_{folder_ / "store.sqlite"};
};

TEST_F(AdviceTest, RecommendsTheFastestWithinTheError) {
  AddCell(store_, "exact", 1e-9, 0.004, 1e-15, false);
  AddCell(store_, "quick", 2e-7, 0.001, 1e-15, false);
  AddCell(store_, "rough", 3e-5, 0.0001, 1e-15, false);
  const Advice advice = Ask();
  ASSERT_EQ(3u, advice.methods.size());
  EXPECT_EQ("quick", advice.methods[0].method);
  EXPECT_EQ("dopri5", advice.methods[0].integrator);
  EXPECT_EQ("", advice.methods[0].fault);
  EXPECT_EQ("exact", advice.methods[1].method);
  EXPECT_NEAR(4, *advice.methods[1].seconds / *advice.methods[0].seconds, 1e-12);
  EXPECT_EQ("rough", advice.methods[2].method);
  EXPECT_NE("", advice.methods[2].fault);
  EXPECT_TRUE(advice.has_rivals);
}

TEST_F(AdviceTest, NeverRecommendsAMethodWithGrowingDriftHoweverFast) {
  AddCell(store_, "unstabilised", 1e-8, 0.0001, 1e-8, true);
  AddCell(store_, "projected", 1e-8, 0.002, 1e-15, false);
  const Advice advice = Ask();
  ASSERT_EQ(2u, advice.methods.size());
  EXPECT_EQ("projected", advice.methods[0].method);
  EXPECT_EQ("unstabilised", advice.methods[1].method);
  EXPECT_NE("", advice.methods[1].fault);
}

TEST_F(AdviceTest, RecommendsNothingIfEveryMethodDrifts) {
  AddCell(store_, "unstabilised", 1e-8, 0.0001, 1e-8, true);
  const Advice advice = Ask();
  ASSERT_EQ(1u, advice.methods.size());
  EXPECT_NE("", advice.methods[0].fault);
  EXPECT_FALSE(advice.has_rivals);
}

TEST_F(AdviceTest, RefusesAMethodOnlyIfDriftGrowsInMostOfItsCells) {
  for (const char* method : {"held", "unstabilised"}) store_.AddMethod(method);
  for (int k = 0; k < 5; ++k) {
    const double error = std::pow(10, -8 - k);
    AddCellOfMethod(store_, "held", error, 0.001, 1e-8, k == 0, std::pow(10, -5 - k));
    AddCellOfMethod(store_, "unstabilised", error, 0.0001, 1e-8, k != 0, std::pow(10, -5 - k));
  }
  const Advice advice = Ask();
  ASSERT_EQ(2u, advice.methods.size());
  EXPECT_EQ("held", advice.methods[0].method);
  EXPECT_EQ("", advice.methods[0].fault);
  EXPECT_EQ("its constraint drift grows over the motion", advice.methods[1].fault);
}

TEST_F(AdviceTest, RefusesADriftAboveTheErrorAskedFor) {
  AddCell(store_, "loose", 1e-8, 0.0001, 1e-5, false);
  EXPECT_NE("", Ask().methods[0].fault);
}

TEST_F(AdviceTest, ExaminesCandidatesUntilTwoHaveNoFault) {
  AddCell(store_, "a", 1e-8, 0.001, 1e-15, false);
  AddCell(store_, "b", 1e-8, 0.002, 1e-15, false);
  AddCell(store_, "c", 1e-8, 0.003, 1e-15, false);
  AddCell(store_, "d", 1e-8, 0.004, 1e-15, false);
  std::vector<std::string> asked;
  const Advice advice = Ask([&asked](const std::string& method) {
    asked.push_back(method);
    return method == "a" ? std::string("it gives no reactions") : std::string();
  });
  EXPECT_EQ((std::vector<std::string>{"a", "b", "c"}), asked);
  EXPECT_EQ("b", advice.methods[0].method);
  EXPECT_EQ("c", advice.methods[1].method);
  EXPECT_EQ("d", advice.methods[2].method);
  EXPECT_EQ("it gives no reactions", advice.methods[3].fault);
}

TEST_F(AdviceTest, OnAProblemAbsentFromTheStoreIsAnError) {
  AddCell(store_, "a", 1e-8, 0.001, 1e-15, false);
  EXPECT_THROW(AdviceOf(store_.path(), "other", 1e-6), ReportError);
}

}  // namespace
}  // namespace mbsbench::reports
