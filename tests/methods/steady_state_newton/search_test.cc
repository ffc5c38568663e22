// Many guesses find the states listed in problems.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

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

// A run stores the steady states of the governor.
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
}

}  // namespace
}  // namespace mbsbench
