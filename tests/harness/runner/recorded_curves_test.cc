// Searches on curves of a real run agree with its ladder of tolerances, which was run and timed beside them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/runner/plan/target_search.h"
#include "tests/harness/runner/recorded_curves.h"

namespace mbsbench {
namespace {

constexpr double kRecordedTargets[] = {1e-6, 1e-9};

const RecordedCell* CellAt(const RecordedCurve& curve, double tolerance) {
  const auto cell = std::ranges::find_if(curve.cells, [tolerance](const RecordedCell& one) {
    return std::abs(one.tolerance / tolerance - 1) < 1e-9;
  });
  return cell == curve.cells.end() ? nullptr : &*cell;
}

// What the search asks for on a curve, from what earlier targets tried; its first trial is at `start`.
SearchStep Replayed(const RecordedCurve& curve, double target, std::size_t start,
                    TriedSettings& tried) {
  const SettingGrid grid{ToleranceGrid(), start};
  while (true) {
    const SearchStep step = NextStep(grid, target, tried);
    if (step.kind != SearchStep::Kind::kTry) return step;
    const RecordedCell* const cell = CellAt(curve, grid.settings[step.setting]);
    if (cell == nullptr) {
      ADD_FAILURE() << "the run did not try tolerance " << grid.settings[step.setting];
      return step;
    }
    tried[step.setting] = {TriedSetting::Ending::kFinished, cell->error};
  }
}

// The two cells of a curve's decades between which its error passes the target, and the time there.
struct LadderAnswer {
  double misses = INFINITY, holds = 0;  // tolerances
  double milliseconds = 0;
};
std::optional<LadderAnswer> OnLadder(const RecordedCurve& curve, double target) {
  const RecordedCell* coarser = nullptr;
  for (int decade = 3; decade <= 13; ++decade) {
    const RecordedCell* const cell = CellAt(curve, std::pow(10, -decade));
    if (cell == nullptr) continue;
    if (cell->error <= target) {
      if (coarser == nullptr) return std::nullopt;
      const double part =
          std::log(target / coarser->error) / std::log(cell->error / coarser->error);
      return LadderAnswer{
          coarser->tolerance, cell->tolerance,
          coarser->milliseconds * std::pow(cell->milliseconds / coarser->milliseconds, part)};
    }
    coarser = cell;
  }
  return std::nullopt;
}

// What a search found, with the answer of the ladder.
struct FoundOnCurve {
  const RecordedCurve* curve;
  double target, tolerance, milliseconds;
  LadderAnswer ladder;
};

const std::vector<FoundOnCurve>& EverythingFound() {
  static const std::vector<FoundOnCurve> all = [] {
    std::vector<FoundOnCurve> found;
    // A run searches where the first curve with this integrator found its setting.
    std::map<std::tuple<std::string, std::string, double>, std::size_t> starts;
    for (const RecordedCurve& curve : RecordedCurves()) {
      TriedSettings tried;
      for (const double target : kRecordedTargets) {
        SCOPED_TRACE(curve.problem + " by " + curve.method + ", " + curve.integrator);
        const auto start = starts.find({curve.problem, curve.integrator, target});
        const SearchStep step = Replayed(
            curve, target,
            start == starts.end() ? NearestSetting(ToleranceGrid(), target) : start->second, tried);
        EXPECT_EQ(step.kind, SearchStep::Kind::kFound);
        if (step.kind != SearchStep::Kind::kFound) continue;
        starts.try_emplace({curve.problem, curve.integrator, target}, step.setting);
        const double tolerance = ToleranceGrid()[step.setting];
        const std::optional<LadderAnswer> ladder = OnLadder(curve, target);
        EXPECT_TRUE(ladder);
        if (ladder)
          found.push_back(
              {&curve, target, tolerance, CellAt(curve, tolerance)->milliseconds, *ladder});
      }
    }
    return found;
  }();
  return all;
}

TEST(TargetSearch, FindsOnRecordedCurvesASettingBetweenTheCellsOfTheLadderAroundTheTarget) {
  EXPECT_EQ(EverythingFound().size(), 2 * RecordedCurves().size());
  for (const FoundOnCurve& one : EverythingFound()) {
    SCOPED_TRACE(one.curve->problem + " by " + one.curve->method + ", " + one.curve->integrator);
    // The errors of ida scatter by a factor of three, so that single cells of its ladder hold or miss a target by chance.
    const double scatter = one.curve->integrator == "ida" ? 10 : 1;
    EXPECT_LT(one.tolerance, one.ladder.misses * scatter);
    EXPECT_GT(one.tolerance, one.ladder.holds / scatter * (1 - 1e-9));
    EXPECT_GT(one.milliseconds, 0) << "the found cell was timed";
  }
}

TEST(TargetSearch, TimesOfFoundCellsOrderPairsThatDifferByAQuarterAsTheLaddersDo) {
  int pairs = 0;
  for (const FoundOnCurve& one : EverythingFound()) {
    for (const FoundOnCurve& other : EverythingFound()) {
      if (one.curve->problem != other.curve->problem || one.target != other.target) continue;
      if (one.ladder.milliseconds <= 1.25 * other.ladder.milliseconds) continue;
      ++pairs;
      EXPECT_GT(one.milliseconds, other.milliseconds)
          << one.curve->problem << " at " << one.target << ": " << one.curve->method << ", "
          << one.curve->integrator << " and " << other.curve->method << ", "
          << other.curve->integrator;
    }
  }
  EXPECT_GE(pairs, 40);
}

TEST(TargetSearch, AnErrorAboveTheTargetEverywhereIsOutOfReachOnARecordedCurve) {
  RecordedCurve curve = RecordedCurves().front();
  const std::vector<RecordedCell> recorded = std::exchange(curve.cells, {});
  for (const double tolerance : ToleranceGrid()) {
    const auto nearest = std::ranges::min_element(recorded, {}, [&](const RecordedCell& one) {
      return std::abs(std::log(one.tolerance / tolerance));
    });
    curve.cells.push_back({tolerance, 2e-6 + nearest->error, 0});
  }
  TriedSettings tried;
  const SearchStep step = Replayed(curve, 1e-6, NearestSetting(ToleranceGrid(), 1e-6), tried);
  EXPECT_EQ(step.kind, SearchStep::Kind::kOutOfReach);
  EXPECT_LE(std::ssize(tried), kMostTrials);
}

}  // namespace
}  // namespace mbsbench
