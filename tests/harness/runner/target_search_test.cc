// The search for the coarsest setting that holds a target, on synthetic and on recorded curves.
#include "harness/runner/plan/target_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "harness/records/accuracy_bounds.h"

namespace mbsbench {
namespace {

using Kind = SearchStep::Kind;
// The error at a setting: NaN where the trial fails, infinite where it takes too long.
using Curve = std::function<double(double setting)>;
constexpr double kFails = std::numeric_limits<double>::quiet_NaN(),
                 kTooLong = std::numeric_limits<double>::infinity();

struct SearchOutcome {
  SearchStep step;
  int trials = 0;
  TriedSettings tried;
  std::size_t finest = 0;
};

SearchOutcome SearchOn(const SettingGrid& grid, double target, const Curve& curve,
                       TriedSettings known = {}) {
  SearchOutcome outcome{{}, 0, std::move(known), grid.settings.size() - 1};
  while (true) {
    outcome.step = NextStep(grid, target, outcome.tried);
    if (outcome.step.kind != Kind::kTry || outcome.trials == 40) return outcome;
    ++outcome.trials;
    const std::size_t k = outcome.step.setting;
    const double error = curve(grid.settings[k]);
    const TriedSetting result{std::isnan(error)   ? TriedSetting::Ending::kFailed
                              : std::isinf(error) ? TriedSetting::Ending::kTooLong
                                                  : TriedSetting::Ending::kFinished,
                              error};
    EXPECT_TRUE(outcome.tried.emplace(k, result).second) << "setting " << k << " a second time";
  }
}

SettingGrid Tolerances(double target) {
  return {ToleranceGrid(), NearestSetting(ToleranceGrid(), target)};
}
SettingGrid Steps(double order, double start = 1e-3) {
  SettingGrid grid{StepGrid(1e-2, 1e-6)};
  grid.start = NearestSetting(grid.settings, start);
  grid.order = order;
  return grid;
}

// The found setting and its neighbours were tried as the report expects them.
void ExpectFound(const SearchOutcome& outcome, double target) {
  ASSERT_EQ(Kind::kFound, outcome.step.kind);
  const std::size_t k = outcome.step.setting;
  const auto holds = [&](std::size_t i) {
    const TriedSetting& one = outcome.tried.at(i);
    return one.ending == TriedSetting::Ending::kFinished && one.error <= target;
  };
  EXPECT_TRUE(holds(k));
  EXPECT_TRUE(k == outcome.finest || holds(k + 1));
  if (k > 0) {
    EXPECT_FALSE(holds(k - 1));
  }
  EXPECT_EQ(k == 0 || outcome.tried.at(k - 1).ending != TriedSetting::Ending::kFinished,
            outcome.step.at_coarse_end);
  EXPECT_LE(outcome.trials, kMostTrials);
}

TEST(TargetSearch, GridsHoldFourTolerancesADecadeAndTheDivisorsOfTheInterval) {
  const std::vector<double>& tolerances = ToleranceGrid();
  EXPECT_EQ(49u, tolerances.size());
  EXPECT_EQ((std::vector<double>{0.1, 5.6e-2, 3.2e-2, 1.8e-2, 1e-2}),
            std::vector<double>(tolerances.begin(), tolerances.begin() + 5));
  EXPECT_EQ(1e-6, tolerances[NearestSetting(tolerances, 1e-6)]) << "a cell of the ladder";
  EXPECT_EQ(1e-13, tolerances.back());
  std::vector<double> parts;
  for (double step : StepGrid(1, 1. / 32)) parts.push_back(std::round(1 / step));
  EXPECT_EQ((std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16, 19, 23, 27, 32}), parts);
}

TEST(TargetSearch, FindsTheCoarsestToleranceOfMonotoneCurves) {
  for (double target : kDefaultTargets) {
    for (double factor : {1e-3, 0.1, 1., 7., 300., 1e4}) {
      for (double power : {0.6, 0.8, 1., 1.2}) {
        const SearchOutcome outcome = SearchOn(Tolerances(target), target, [&](double tolerance) {
          return factor * target * std::pow(tolerance / target, power);
        });
        SCOPED_TRACE(testing::Message() << target << ", " << factor << ", " << power);
        if (outcome.step.kind == Kind::kOutOfReach) {
          EXPECT_GT(factor * target * std::pow(1e-13 / target, power), target);
        } else {
          ExpectFound(outcome, target);
        }
      }
    }
  }
}

TEST(TargetSearch, FindsTheCoarsestFixedStepAtOrdersOneToEight) {
  for (int order = 1; order <= 8; ++order) {
    for (double error : {1e-9, 1e-6, 1e-3}) {
      const SearchOutcome outcome = SearchOn(
          Steps(order), 1e-6, [&](double step) { return error * std::pow(step / 1e-3, order); });
      SCOPED_TRACE(testing::Message() << "order " << order << ", error " << error);
      if (outcome.step.kind != Kind::kOutOfReach || order > 1) ExpectFound(outcome, 1e-6);
    }
  }
}

TEST(TargetSearch, NeedsFewTrialsOnACurveOfTheExpectedOrder) {
  EXPECT_LE(SearchOn(Tolerances(1e-6), 1e-6, [](double t) { return 20 * t; }).trials, 4);
  EXPECT_LE(SearchOn(Steps(4), 1e-6, [](double h) { return 1e7 * std::pow(h, 4); }).trials, 4);
}

TEST(TargetSearch, SaysWhichSettingIsTheFirstThatCanHoldTheTarget) {
  const SettingGrid grid = Steps(2);
  const auto error = [&](std::size_t k) {
    return TriedSetting{TriedSetting::Ending::kFinished, 10 * std::pow(grid.settings[k], 2)};
  };
  TriedSettings tried{{grid.start, error(grid.start)}};
  EXPECT_FALSE(NextStep(grid, 1e-15, tried).not_before) << "one trial does not tell";
  tried[grid.start + 1] = error(grid.start + 1);
  const MaybeNumber first = NextStep(grid, 1e-15, tried).not_before;
  ASSERT_TRUE(first);
  EXPECT_NEAR(1e-8, *first, 1e-13) << "finer than the grid";
  tried[grid.start] = {TriedSetting::Ending::kFinished, 1};
  tried[grid.start + 1] = {TriedSetting::Ending::kFinished, 0.1};
  EXPECT_FALSE(NextStep(grid, 1e-15, tried).not_before) << "so coarse a motion does not tell";
}

TEST(TargetSearch, MarksAResultAtTheCoarseEnd) {
  const SearchOutcome outcome = SearchOn(Tolerances(1e-3), 1e-3, [](double) { return 1e-5; });
  ExpectFound(outcome, 1e-3);
  EXPECT_EQ(0u, outcome.step.setting);
}

TEST(TargetSearch, TheFinestSettingNeedsNoFinerOne) {
  const SettingGrid grid = Tolerances(1e-9);
  const SearchOutcome outcome =
      SearchOn(grid, 1e-9, [](double t) { return t < 1.5e-13 ? 1e-10 : 1e-7; });
  EXPECT_EQ(Kind::kFound, outcome.step.kind);
  EXPECT_EQ(grid.settings.size() - 1, outcome.step.setting);
  EXPECT_LE(outcome.trials, kMostTrials);
}

TEST(TargetSearch, ACurveThatStallsAboveTheTargetIsOutOfReachByItsTwoFinestSettings) {
  const SettingGrid grid = Tolerances(1e-9);
  const SearchOutcome outcome =
      SearchOn(grid, 1e-9, [](double tolerance) { return std::max(tolerance, 3e-8); });
  EXPECT_EQ(Kind::kOutOfReach, outcome.step.kind);
  EXPECT_TRUE(outcome.tried.count(grid.settings.size() - 1));
  EXPECT_TRUE(outcome.tried.count(grid.settings.size() - 2));
  EXPECT_LE(outcome.trials, kMostTrials);
}

TEST(TargetSearch, AMethodThatFailsEverywhereIsOutOfReach) {
  const SearchOutcome outcome = SearchOn(Tolerances(1e-6), 1e-6, [](double) { return kFails; });
  EXPECT_EQ(Kind::kOutOfReach, outcome.step.kind);
  EXPECT_LE(outcome.trials, kMostTrials);
}

TEST(TargetSearch, AFailureAtCoarseSettingsIsAMissAndTheCoarseEnd) {
  const SettingGrid grid = Steps(4);
  const SearchOutcome outcome = SearchOn(
      grid, 1e-3, [](double step) { return step > 4e-4 ? kFails : 1e3 * std::pow(step, 4); });
  ExpectFound(outcome, 1e-3);
  EXPECT_LT(grid.settings[outcome.step.setting], 4e-4);
  EXPECT_GT(grid.settings[outcome.step.setting - 1], 4e-4);
  EXPECT_TRUE(outcome.step.at_coarse_end) << "the coarser cell has no time";
}

// It is neither found nor out of reach: each next trial is expected to be the last.
TEST(TargetSearch, ACurveThatStallsJustAboveTheTargetIsStillOpenAfterTheMostTrials) {
  TriedSettings tried;
  const SettingGrid grid = Tolerances(1e-6);
  for (int trial = 0; trial < kMostTrials; ++trial) {
    const SearchStep next = NextStep(grid, 1e-6, tried);
    ASSERT_EQ(Kind::kTry, next.kind);
    tried[next.setting] = {TriedSetting::Ending::kFinished, 1.02e-6};
  }
  EXPECT_EQ(Kind::kTry, NextStep(grid, 1e-6, tried).kind);
  EXPECT_LT(tried.rbegin()->first, grid.settings.size() - 2);
}

TEST(TargetSearch, ASettingThatHoldsTheTargetByChanceCountsAsAMiss) {
  const SettingGrid grid = Tolerances(1e-6);
  const SearchOutcome outcome = SearchOn(
      grid, 1e-6, [](double tolerance) { return tolerance == 1e-6 ? 1e-9 : 50 * tolerance; });
  ExpectFound(outcome, 1e-6);
  EXPECT_LT(grid.settings[outcome.step.setting], 1e-6 / 49);
}

TEST(TargetSearch, ASettingThatEndedInaccurateHoldsNoTargetHoweverSmallItsPositionError) {
  const SettingGrid grid = Tolerances(1e-3);
  const SearchOutcome outcome = SearchOn(grid, 1e-3, [](double setting) {
    return ErrorAtTargets(setting > 1.01e-4 ? "inaccurate" : "ok", 0.1 * setting);
  });
  ExpectFound(outcome, 1e-3);
  EXPECT_DOUBLE_EQ(grid.settings[outcome.step.setting], 1e-4);
  EXPECT_EQ(ErrorAtTargets("inaccurate", 0.005), 0.005) << "it counts for coarser targets";
}

TEST(TargetSearch, CurvesThatScatterEndWithAConfirmedSetting) {
  for (int phase = 0; phase < 20; ++phase) {
    const SearchOutcome outcome = SearchOn(Tolerances(1e-6), 1e-6, [&](double tolerance) {
      return 3 * tolerance * std::exp(1.2 * std::sin(7 * std::log(tolerance) + phase));
    });
    SCOPED_TRACE(phase);
    ExpectFound(outcome, 1e-6);
  }
}

TEST(TargetSearch, ASettingThatTakesTooLongEndsIt) {
  const SettingGrid grid = Tolerances(1e-6);
  const SearchOutcome outcome = SearchOn(
      grid, 1e-6, [](double tolerance) { return tolerance < 1e-7 ? kTooLong : 1e3 * tolerance; });
  EXPECT_EQ(Kind::kTooLong, outcome.step.kind);
  EXPECT_LT(grid.settings[outcome.step.setting], 1e-7);
  // A setting that finishes shows that a coarser one that took too long merely failed.
  const SearchOutcome stiff = SearchOn(
      grid, 1e-6, [](double tolerance) { return tolerance > 3e-6 ? kTooLong : tolerance / 10; });
  ExpectFound(stiff, 1e-6);
}

TEST(TargetSearch, GoesOnFromWhatAnotherTargetHasTried) {
  const Curve curve = [](double tolerance) { return 10 * tolerance; };
  const SearchOutcome first = SearchOn(Tolerances(1e-6), 1e-6, curve);
  const SearchOutcome second = SearchOn(Tolerances(1e-3), 1e-3, curve, first.tried);
  ExpectFound(second, 1e-3);
  // A second search for the same target has nothing to try.
  EXPECT_EQ(0, SearchOn(Tolerances(1e-6), 1e-6, curve, second.tried).trials);
}

// Errors by tolerance of a recorded curve: the error of dopri5 falls in steps where its step is limited by the samples.
TEST(TargetSearch, FindsTheSettingOfARecordedCurveWithPlateaus) {
  const double recorded[] = {3.1e-4, 3.1e-4, 3.0e-4, 2.2e-4, 9.0e-5, 6.5e-5, 6.1e-5,
                             4.0e-5, 8.1e-6, 7.7e-6, 7.9e-6, 3.1e-6, 2.0e-6, 1.1e-6,
                             5.1e-7, 2.6e-7, 1.4e-7, 8.0e-8, 4.2e-8, 2.4e-8, 1.3e-8};
  const SettingGrid grid = Tolerances(1e-6);
  const SearchOutcome outcome = SearchOn(grid, 1e-6, [&](double tolerance) {
    const std::size_t k = NearestSetting(grid.settings, tolerance);
    return recorded[std::min(k, std::size(recorded) - 1)];
  });
  ExpectFound(outcome, 1e-6);
  EXPECT_EQ(14u, outcome.step.setting);
}

}  // namespace
}  // namespace mbsbench
