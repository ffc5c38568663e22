// Many guesses, and branches over the driving speed, find the states listed in problems.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/runner/trials/steady_search.h"
#include "harness/runner/trials/steady_trial.h"
#include "methods/steady_state_newton/steady_state_newton.h"

namespace mbsbench {
namespace {

constexpr std::uint64_t kSeed = kSteadySeed;

struct Searched {
  std::vector<MethodEntry> methods{SteadyStateNewtonEntry()};
  PreparedCell prepared;
  std::unique_ptr<Formulation> formulation;

  explicit Searched(const std::string& problem) {
    Cell cell;
    cell.problem = problem;
    cell.method = "steady-state-newton";
    cell.integrator = "kinsol";
    cell.tolerance = 1e-14;
    prepared = PrepareCell(cell, methods);
    formulation = prepared.MakeFormulation();
  }
  AlgebraicFormulation& equations() { return static_cast<AlgebraicFormulation&>(*formulation); }
};

TEST(SteadySearch, OfTheSwingFindsOneStateAtTwentyAndThreeAtFortyRadiansPerSecond) {
  Searched swing("swing");
  for (const double speed : {20.0, 30.0}) {
    const SteadySearch search =
        SearchSteadyStates(swing.prepared, swing.equations(), speed, 200, kSeed);
    EXPECT_EQ(search.found.size(), 1u) << speed;
    EXPECT_TRUE(search.found.front().from_problem);
  }
  const SteadySearch search = SearchSteadyStates(swing.prepared, swing.equations(), 40, 200, kSeed);
  ASSERT_EQ(search.found.size(), 3u);
  const double printed[] = {0.15723, 3.6489, 5.398}, last_digit[] = {1e-5, 1e-4, 1e-3};
  int reached = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(search.found[i].z[0], printed[i], last_digit[i]);
    EXPECT_EQ(search.found[i].stability.stable, i != 1) << i;
    reached += search.found[i].reached_by;
  }
  for (const auto& [outcome, count] : search.failed) reached += count;
  EXPECT_EQ(reached, search.starts);  // every start is accounted for
}

// The two upper states appear together at a turning point between 30 and 40 rad/s.
TEST(SteadySearch, FollowsTheBranchesOfTheSwingAroundTheirTurningPoint) {
  Searched swing("swing");
  const BranchSurvey survey = SurveyBranches(swing.prepared, swing.equations(), 10, 40, 100, kSeed);
  ASSERT_EQ(survey.branches.size(), 2u);
  const auto turns = [](const Branch& b) { return !b.turning_points.empty(); };
  const auto folded = std::find_if(survey.branches.begin(), survey.branches.end(), turns);
  ASSERT_NE(folded, survey.branches.end());
  EXPECT_EQ(std::count_if(survey.branches.begin(), survey.branches.end(), turns), 1);
  ASSERT_EQ(folded->turning_points.size(), 1u);
  // At the fold df/dz is singular: with d eliminated, the derivative of the one equation in theta
  // vanishes together with the equation.
  const auto& fold = folded->turning_points.front();
  EXPECT_GT(fold.speed, 30);
  EXPECT_LT(fold.speed, 40);
  const double w2 = fold.speed * fold.speed, theta = fold.z[0], d = fold.z[1];
  EXPECT_NEAR(300 * (theta - 1.0472) + w2 * d * std::sin(theta), 0, 1e-7);
  const double d_theta = -w2 * std::sin(theta) / (50000 - w2);
  EXPECT_NEAR(300 + w2 * (d * std::cos(theta) + d_theta * std::sin(theta)), 0, 1e-2);
  // Stability changes there and nowhere else.
  int changes = 0;
  for (std::size_t i = 1; i < folded->points.size(); ++i)
    changes += folded->points[i].stability.stable != folded->points[i - 1].stability.stable;
  EXPECT_EQ(changes, 1);
}

// With both arms alike and the collar below: 0.7857 and 2.3559, stable, and upright or hanging arms,
// which are not. The others have arms that differ, or the collar above.
TEST(SteadySearch, OfTheGovernorFindsFourSymmetricStatesTwoOfThemStable) {
  Searched governor("governor");
  const SteadySearch search = SearchSteadyStates(governor.prepared, governor.equations(),
                                                 governor.equations().speed(), 400, kSeed);
  std::vector<double> stable, unstable;
  for (const FoundState& state : search.found) {
    const double phi = state.z[0];
    const bool alike = std::abs(std::remainder(phi - state.z[1], 2 * M_PI)) < 1e-6;
    const bool below = state.z[2] > 0.08 * std::sin(phi);  // O4 below P
    if (!alike || !below) continue;
    ASSERT_TRUE(state.stability.known);
    (state.stability.stable ? stable : unstable).push_back(phi);
  }
  ASSERT_EQ(stable.size(), 2u);
  EXPECT_NEAR(stable[0], 0.7857110273452537577, 1e-12);
  EXPECT_NEAR(stable[1], M_PI - 0.7857110273452537577, 1e-12);
  ASSERT_EQ(unstable.size(), 2u);  // singular positions: both struts only hold the collar there
  EXPECT_NEAR(unstable[0], -M_PI / 2, 1e-6);
  EXPECT_NEAR(unstable[1], M_PI / 2, 1e-6);
}

// Each printed equilibrium, at its own speed, is among the states found, with the printed stability. Where
// closures depend on each other, with the governor's arms straight up or down, angles are good to 1e-6.
TEST(SteadySearch, FindsEveryPrintedEquilibriumWithItsPrintedStability) {
  int compared = 0;
  for (const char* name : {"swing", "governor", "governor-rods"}) {
    Searched searched(name);
    const Problem& problem = searched.prepared.problem;
    std::map<std::string, std::size_t> place;
    for (const auto& unknown : searched.equations().unknowns())
      place.emplace(unknown.name, place.size());
    std::map<double, SteadySearch> searches;
    for (const Equilibrium& printed : problem.equilibria) {
      if (!searches.contains(printed.speed)) {
        searches[printed.speed] =
            SearchSteadyStates(searched.prepared, searched.equations(), printed.speed, 400, kSeed);
      }
      const auto joint_of = [&](const Equilibrium::Coordinate& c) -> const Joint& {
        return problem.system.joints[static_cast<std::size_t>(c.joint)];
      };
      const auto& coordinates = printed.coordinates;
      const bool straight = std::any_of(coordinates.begin(), coordinates.end(), [&](const auto& c) {
        return joint_of(c).type == JointType::kRevolute && std::abs(std::cos(c.value)) < 1e-12;
      });
      const auto is_it = [&](const FoundState& state) {
        return std::all_of(coordinates.begin(), coordinates.end(), [&](const auto& c) {
          const Joint& joint = joint_of(c);
          const double off = state.z[place.at(joint.name)] - c.value;
          return std::abs(joint.type == JointType::kRevolute
                              ? std::remainder(off, 2 * M_PI)
                              : off) < std::max(straight ? 1e-6 : 1e-12, c.last_digit);
        });
      };
      const std::vector<FoundState>& found = searches[printed.speed].found;
      const auto it = std::find_if(found.begin(), found.end(), is_it);
      ASSERT_NE(it, found.end()) << name << ", " << printed.speed << " rad/s, "
                                 << printed.coordinates.front().value;
      EXPECT_TRUE(it->stability.known) << name << ", " << printed.coordinates.front().value;
      EXPECT_EQ(it->stability.stable, printed.stable)
          << name << ", " << printed.speed << " rad/s, " << printed.coordinates.front().value;
      ++compared;
    }
  }
  EXPECT_GE(compared, 4 + 4 + 1);
}

// With the struts in line with the collar's axis the closures are dependent, Newton's matrix is
// singular at every speed, and the position does not change. One of these states is stable up to the
// speed at which a branch of bent arms bifurcates from it. Arclength continuation finds that branch.
TEST(SteadySurvey, FollowsTheGovernorsSingularPositionsToABifurcation) {
  Searched governor("governor");
  const BranchSurvey survey =
      SurveyBranches(governor.prepared, governor.equations(), 9, 14, 100, kSeed);
  const auto collar = [](const BranchPoint& p) { return p.z[2]; };
  std::vector<double> forks, changes;
  int singular = 0;
  for (const Branch& branch : survey.branches) {
    ASSERT_GE(branch.points.size(), 2u) << "a single mark at " << branch.points[0].speed
                                        << " rad/s: " << testing::PrintToString(branch.points[0].z)
                                        << ", " << branch.begins << "; " << branch.ends;
    for (const Branch::TurningPoint& turn : branch.turning_points) forks.push_back(turn.speed);
    const bool is_singular =
        std::all_of(branch.points.begin(), branch.points.end(), [&](const BranchPoint& p) {
          return std::abs(std::abs(std::sin(p.z[0])) - 1) < 1e-10 &&
                 std::abs(collar(p) - collar(branch.points.front())) < 1e-6;
        });
    if (!is_singular) continue;
    ++singular;
    EXPECT_NEAR(branch.points.front().speed, 9, 1e-12);
    EXPECT_NEAR(branch.points.back().speed, 14, 1e-12);
    for (std::size_t i = 1; i < branch.points.size(); ++i) {
      const BranchPoint &a = branch.points[i - 1], &b = branch.points[i];
      if (a.stability.stable && !b.stability.stable) {
        changes.push_back(0.5 * (a.speed + b.speed));
        EXPECT_LT(b.speed - a.speed, 0.1);
      }
    }
  }
  EXPECT_EQ(singular, 4);
  ASSERT_FALSE(forks.empty());
  ASSERT_EQ(changes.size(), 1u);
  for (double fork : forks) EXPECT_NEAR(changes[0], fork, 0.05);
}

// A run stores the steady states of the governor and its curve over the speed.
TEST(SteadySurvey, IsRecordedWithTheTrial) {
  Searched governor("governor");
  const TrialResult trial = SteadyAccuracyTrial(governor.prepared, {});
  EXPECT_EQ(trial.ending.outcome, Outcome::kOk);
  const SteadySurveyRecord& survey = *trial.record.steady_survey;
  EXPECT_EQ(survey.equilibria.speed, 11.0174);
  int own = 0;
  for (const FoundStateRecord& found : survey.equilibria.found) {
    const NamedValues<double>& values = found.values;
    // The collar hangs s below O1 at 0.2 m.
    EXPECT_NEAR(*values.Find("y_4"), 0.2 - *values.Find("s"), 1e-15);
    if (!found.from_the_problems_guess) continue;
    ++own;
    EXPECT_NEAR(*values.Find("phi_1"), 0.7857110273452537577, 1e-12);
    EXPECT_TRUE(*found.stable);
  }
  EXPECT_EQ(own, 1);

  // On the working branch the collar rises with the speed, from the position where both arms
  // hang straight down.
  const BranchesRecord& branches = *survey.branches;
  EXPECT_EQ(branches.from, 0);
  EXPECT_EQ(branches.to, 25);
  int working = 0;
  for (const BranchRecord& branch : branches.list) {
    const std::vector<double>& speeds = branch.speeds;
    const std::vector<double>& height = *branch.values.Find("y_4");
    const std::vector<double>& phi = *branch.values.Find("phi_1");
    ASSERT_EQ(speeds.size(), height.size());
    ASSERT_EQ(speeds.size(), branch.stable.size());
    for (std::size_t i = 0; i + 1 < speeds.size(); ++i) {
      if ((speeds[i] - 11.0174) * (speeds[i + 1] - 11.0174) > 0) continue;
      const double part = (11.0174 - speeds[i]) / (speeds[i + 1] - speeds[i]);
      if (std::abs(phi[i] + part * (phi[i + 1] - phi[i]) - 0.785711) > 5e-3) continue;
      EXPECT_NEAR(height[i] + part * (height[i + 1] - height[i]), 0.2 - 0.150026, 2e-3);
      EXPECT_GT((height[i + 1] - height[i]) * (speeds[i + 1] - speeds[i]), 0);
      EXPECT_TRUE(*branch.stable[i]);
      ++working;
    }
  }
  EXPECT_GE(working, 1);
}

}  // namespace
}  // namespace mbsbench
