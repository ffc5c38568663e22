// The time left, held against runs whose trials are over.
#include "harness/runner/forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "harness/runner/progress.h"

namespace mbsbench {
namespace {

struct Recorded {
  TrialShape shape;
  double seconds = 0;  // of its processes
  bool finished = true;
};

TrialKind KindNamed(const std::string& name) {
  for (TrialKind kind : {TrialKind::kAgreement, TrialKind::kAccuracy, TrialKind::kEvaluation}) {
    if (Name(kind) == name) return kind;
  }
  return TrialKind::kTime;
}

// Tab-separated, in the order in which they were carried out: kind, pass, problem, method, integrator, bodies, digits,
// cell, rounds, seconds, finished. Made from stores by scripts/record_durations.py.
std::vector<Recorded> Read(const std::string& file) {
  std::ifstream in(std::string(MBSBENCH_SOURCE_DIR) + "/tests/harness/runner/" + file);
  std::vector<Recorded> trials;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields;
    std::istringstream split(line);
    for (std::string field; std::getline(split, field, '\t');) fields.push_back(field);
    if (fields.size() != 11) continue;
    Recorded& r = trials.emplace_back();
    r.shape.kind = KindNamed(fields[0]);
    r.shape.pass = static_cast<Pass>(std::stoi(fields[1]));
    r.shape.problem = fields[2];
    r.shape.method = fields[3];
    r.shape.integrator = fields[4];
    r.shape.bodies = std::stod(fields[5]);
    r.shape.digits = std::stod(fields[6]);
    r.shape.cell = std::stoul(fields[7]);
    r.shape.rounds = std::stoi(fields[8]);
    r.seconds = std::stod(fields[9]);
    r.finished = fields[10] == "1";
  }
  return trials;
}

// Largest factor by which the time left was off, from the tenth part of the run on.
double WorstFactor(const std::vector<Recorded>& trials, double limit) {
  std::vector<TrialShape> shapes;
  double total = 0, elapsed = 0, worst = 1;
  const auto wall = [](const Recorded& r) {
    const bool alone = r.shape.kind == TrialKind::kEvaluation || r.shape.kind == TrialKind::kTime;
    return alone ? r.seconds : r.seconds / 2;
  };
  for (const Recorded& r : trials) {
    shapes.push_back(r.shape);
    total += wall(r);
  }
  Forecast forecast(shapes, limit, 2);
  double next = 0.1;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    forecast.Done(i, trials[i].seconds, trials[i].finished);
    elapsed += wall(trials[i]);
    forecast.Ran(i, trials[i].seconds, elapsed);
    if (elapsed < next * total || next > 0.975) continue;
    const double left = total - elapsed, expected = forecast.SecondsLeft();
    worst = std::max({worst, left / expected, expected / left});
    std::printf("%3.0f %%: left %.1f s, expected %.1f s\n", 100 * elapsed / total, left, expected);
    next += 0.05;
  }
  return worst;
}

TEST(Forecast, IsRightWithinAFactorOfOnePointFiveFromTheTenthPartOfAQuickRunOn) {
  const std::vector<Recorded> trials = Read("durations_of_a_quick_run.tsv");
  ASSERT_GT(trials.size(), 500u);
  EXPECT_LT(WorstFactor(trials, 20), 1.5);
}

// Two problems of 10 and 1,000 bodies by a fast method and by one ten times slower.
std::vector<TrialShape> TwoByTwo() {
  std::vector<TrialShape> shapes;
  for (double bodies : {10., 1000.}) {
    for (const char* method : {"fast", "slow"}) {
      for (double digits : {4., 8.}) {
        TrialShape& shape = shapes.emplace_back();
        shape.kind = TrialKind::kAccuracy;
        shape.problem = bodies < 100 ? "small" : "large";
        shape.method = method;
        shape.integrator = "dopri5";
        shape.bodies = bodies;
        shape.digits = digits;
        shape.cell = shapes.size() - 1;
      }
    }
  }
  return shapes;
}

TEST(Forecast, AMethodThatWasSlowElsewhereIsExpectedToBeSlow) {
  const std::vector<TrialShape> shapes = TwoByTwo();
  Forecast forecast(shapes, 60, 2);
  forecast.Done(0, 0.1);
  forecast.Done(1, 0.3);
  forecast.Done(2, 1);
  forecast.Done(3, 3);
  EXPECT_GT(forecast.Seconds(6), 2 * forecast.Seconds(4)) << "the slow method on the large problem";
  EXPECT_GT(forecast.Seconds(4), 2 * forecast.Seconds(0)) << "a hundred times the bodies";
  forecast.Done(4, 10);
  EXPECT_GT(forecast.Seconds(5), 10) << "more digits than the neighbour";
  EXPECT_LE(forecast.Seconds(7), 60) << "never more than the limit";
}

TEST(Forecast, WhatIsDoneOrWillNotBeRunTakesNoTime) {
  Forecast forecast(TwoByTwo(), 60, 2);
  for (std::size_t i = 0; i < 8; ++i) forecast.Done(i, i < 4 ? 0.5 : 0);
  EXPECT_EQ(0, forecast.SecondsLeft());
  const auto passes = forecast.Passes();
  EXPECT_EQ(passes[0].planned, passes[0].done);
}

TEST(Forecast, ACellThatFailedIsNotTimed) {
  std::vector<TrialShape> shapes(2);
  shapes[0].kind = TrialKind::kAccuracy;
  shapes[1].kind = TrialKind::kTime;
  Forecast forecast(shapes, 60, 2);
  EXPECT_GT(forecast.Seconds(1), 0);
  forecast.Done(0, 0.5, false);
  EXPECT_EQ(0, forecast.Seconds(1));
}

TEST(Progress, SaysPassTrialsTimeLeftAndWhatIsRun) {
  const std::string line = ProgressLine({.pass = 2,
                                         .passes = 4,
                                         .done = 120,
                                         .planned = 3000,
                                         .seconds_left = 1500,
                                         .budget_left = 200},
                                        "branch4 by kane-huston");
  for (const char* part : {"2 of 4", "120/3000", "25 min", "3 min", "branch4 by kane-huston"})
    EXPECT_THAT(line, testing::HasSubstr(part));
  EXPECT_THAT(ProgressLine({.seconds_left = 10, .budget_left = INFINITY}, "x"),
              testing::Not(testing::HasSubstr("stops")));
}

}  // namespace
}  // namespace mbsbench
