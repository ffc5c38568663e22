// The equilibria printed in problems.md, from the papers' guesses at the papers' speeds.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "harness/integrate/stability.h"
#include "harness/integrate/steady_state.h"
#include "methods/steady_state_newton/steady_state_newton.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/rough_assembly.h"
#include "problems/test_systems/rounded_linkage.h"
#include "reference/steady_state.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

struct Solved {
  Problem problem;
  std::unique_ptr<Formulation> formulation;
  IntegrationReport report;

  AlgebraicFormulation& equations() { return static_cast<AlgebraicFormulation&>(*formulation); }
  double Unknown(const std::string& name) {
    const auto names = equations().unknowns();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].name == name) return report.end_state[i];
    }
    ADD_FAILURE() << "no unknown is called " << name;
    return NAN;
  }
};

// From the problem's own guess, for any ending of Newton's method.
Solved Attempt(Problem problem) {
  Solved s{std::move(problem), nullptr, {}};
  const SystemState state = Assemble(s.problem.system, s.problem.initial, s.problem.length).state;
  s.formulation = SteadyStateNewtonEntry().prepare(s.problem.system, {});
  std::vector<double> guess(s.formulation->state_size());
  s.formulation->Initialise(0, state, guess);
  s.report = SolveSteadyState(s.equations(), guess);
  return s;
}
Solved Solve(const std::string& name, Problem problem) {
  Solved s = Attempt(std::move(problem));
  EXPECT_TRUE(s.report.ok()) << name << ": " << s.report.reason;
  return s;
}
Solved Solve(const std::string& name) { return Solve(name, MakeProblem(name)); }

TEST(Equilibria, OfThePapersAreFoundToTwelveDigits) {
  for (const char* name : {"swing", "governor", "governor-rods"}) {
    Solved s = Solve(name);
    ASSERT_FALSE(s.problem.equilibria.empty());
    for (const Equilibrium::Coordinate& c : s.problem.equilibria.front().coordinates) {
      const std::string& joint = s.problem.system.joints[static_cast<std::size_t>(c.joint)].name;
      EXPECT_NEAR(s.Unknown(joint) / c.value, 1, 1e-13) << name << ", " << joint;
    }
  }
}

// The parallelogram of rounded_linkage.h on a table that turns at 3 rad/s about the first rod's pin. Its frames have nine
// decimals, so that some rows of its loop depend on the others up to their rounding. With the rods' angle x from the vertical,
//
//   (2 m 0.2 + M 0.4) g sin x + w^2 ((2 m 0.2 0.3 + M 0.4 0.3) cos x + (2 (m 0.2^2 + J - J_axis) + M 0.4^2) sin x cos x) = 0
TEST(Equilibria, OfALoopWithRoundedFramesKeepTheRowsThatCount) {
  for (const JointType closing : {JointType::kBall, JointType::kRevolute}) {
    Problem p = RoundedLinkage(9, closing);
    System& s = p.system;
    Body table;
    table.name = "table";
    table.mass = 1;
    table.inertia = Diagonal(1, 1, 1);
    const int body = static_cast<int>(s.bodies.size());
    s.bodies.push_back(table);
    for (Joint& joint : s.joints) {
      if (joint.parent == kGround) joint.parent = body;
    }
    Joint axis;
    axis.name = "axis";
    axis.type = JointType::kRevolute;
    axis.child = body;
    const Vector3 up = (-1 / Norm(s.gravity)) * s.gravity, z{0, 0, 1};
    const Vector3 across = Cross(z, up);
    axis.parent_frame.orientation = axis.child_frame.orientation =
        AxisAngle((1 / Norm(across)) * across, std::acos(Dot(z, up)));
    s.joints.push_back(axis);
    constexpr double kSpeed = 3;
    s.drivers = {{"motor", static_cast<int>(s.joints.size()) - 1, kSpeed}};
    p.initial.joints = {{-0.2, 0.2, -0.2, 0}, {0, 0, 0, kSpeed}};
    s.loop_precision =
        AssembleFromGuess(s, {p.initial.joints, {}}, p.length, Rounding::kTaken).loop_precision;
    ASSERT_GT(s.loop_precision, 0);
    Solved solved = Solve("table", p);
    const double x = solved.Unknown("a");
    const double moment =
        0.8 * 9.81 * std::sin(x) +
        kSpeed * kSpeed * (0.24 * std::cos(x) + 0.275 * std::sin(x) * std::cos(x));
    EXPECT_NEAR(moment, 0, 1e-7);
    EXPECT_LT(x, -0.1);
    Observation seen;
    ASSERT_TRUE(
        solved.formulation->Observe(0, solved.report.end_state, Detail::kReactions, seen).ok());
    EXPECT_FALSE(seen.reactions.back().unique.all()) << "the closing joint is stated twice in part";
  }
}

// With isotropic balls of the same inertia about the arm's normal the gyroscopic moment vanishes. With
// J_y - J_x of the opposite sign it reverses: problems.md prints the value for that.
TEST(Equilibria, OfRodLikeBallsIncludeTheGyroscopicMoment) {
  Problem turned = MakeProblem("governor-rods");
  turned.name = "turned";
  for (std::size_t b : {1u, 2u}) turned.system.bodies[b].inertia = Diagonal(0.012, 0.002, 0.012);
  EXPECT_NEAR(Solve("turned", turned).Unknown("phi_1"), 0.9122374039939342, 1e-13);
  Problem isotropic = MakeProblem("governor-rods");
  for (std::size_t b : {1u, 2u}) isotropic.system.bodies[b].inertia = Diagonal(0.012, 0.012, 0.012);
  EXPECT_NEAR(Solve("isotropic", isotropic).Unknown("phi_1"), 0.7857110273452537577, 1e-13);
}

// The quadratic phase: each residual below a constant times the square of the one before, down to
// round-off.
TEST(Equilibria, ConvergeQuadratically) {
  for (const char* name : {"swing", "governor", "governor-rods", "spunchainN:bodies=10"}) {
    const Solved s = Solve(name);
    const std::vector<double>& step = s.report.step_history;
    int quadratic = 0;
    for (std::size_t k = 1; k < step.size(); ++k) {
      if (step[k - 1] > 0.1 || step[k] < 1e-13) continue;  // before, and after, that phase
      EXPECT_LT(std::log(step[k]) / std::log(step[k - 1]), 3) << name;
      EXPECT_GT(std::log(step[k]) / std::log(step[k - 1]), 1.4) << name << ", step " << k;
      ++quadratic;
    }
    EXPECT_GE(quadratic, 1) << name;
    EXPECT_LE(s.report.counters.newton_iterations, 9) << name;
  }
}

// Newton's iterates are those of the full equations in relative (or absolute) angles, so that the
// counts are those printed with the problem, except for one at round-off: the last iteration depends on the
// stopping criterion.
TEST(Equilibria, OfSpunChainsHaveThePrintedRadiiAfterThePrintedIterations) {
  struct Printed {
    int bodies;
    double radius;
    int iterations;
  };
  for (const auto& [bodies, radius, iterations] :
       {Printed{10, 0.869074213, 8}, Printed{100, 0.794590749, 9},
        Printed{1000, 0.786310049, 12}}) {
    const std::string name = "spunchainN:bodies=" + std::to_string(bodies);
    Solved s = Solve(name);
    EXPECT_NEAR(static_cast<double>(s.report.counters.newton_iterations), iterations, 1) << name;
    Observation observation;
    s.formulation->Observe(0, s.report.end_state, Detail::kMotion, observation);
    EXPECT_NEAR(Evaluate(s.problem.observables[0], observation.bodies), radius, 6e-10) << name;
    // And the reference: absolute angles, an energy, 113 bits.
    std::string why;
    const auto truth = FindSteadyReference(s.problem, &why);
    ASSERT_TRUE(truth) << why;
    double worst = 0;
    for (std::size_t b = 0; b < truth->bodies.size(); ++b) {
      Raise(worst, {Norm(truth->bodies[b].position - observation.bodies[b].position),
                    AngleBetween(truth->bodies[b].orientation, observation.bodies[b].orientation)});
    }
    EXPECT_LT(worst, 1e-12) << name;
  }
}

TEST(Equilibria, OscillateAtThePrintedFrequencies) {
  struct Printed {
    const char* name;
    std::vector<double> frequencies;
    double last_digit;
  };
  for (const Printed& p : {Printed{"swing", {24.98236314, 226.32056554}, 1e-8},
                           Printed{"governor", {6.551996}, 1e-6}}) {
    Solved s = Solve(p.name);
    Linearisation linearisation;
    s.equations().Linearise(s.report.end_state, linearisation);
    const Stability stability = StabilityOf(linearisation);
    EXPECT_TRUE(stability.known && stability.stable) << p.name;
    ASSERT_EQ(stability.frequencies.size(), p.frequencies.size()) << p.name;
    for (std::size_t i = 0; i < p.frequencies.size(); ++i)
      EXPECT_NEAR(stability.frequencies[i], p.frequencies[i], p.last_digit) << p.name;
  }
}

TEST(Equilibria, OfTheGovernorAreReachedInFourToSixIterationsFromThePrintedGuess) {
  for (int speed : {6, 8, 11, 15, 22}) {
    const Solved s = Solve("governor:speed=" + std::to_string(speed));
    EXPECT_GE(s.report.counters.newton_iterations, 4) << speed;
    EXPECT_LE(s.report.counters.newton_iterations, 6) << speed;
  }
}

// The matrix that is printed as singular at 0 and 3 rad/s is singular where the arms hang straight down: there
// both closures constrain only the collar. Newton misses the working state.
TEST(Equilibria, OfTheSlowGovernorAreMissedForThePositionOfDependentClosures) {
  for (int speed : {0, 3}) {
    Solved s = Attempt(MakeProblem("governor:speed=" + std::to_string(speed)));
    std::printf("  %d rad/s: %d iterations, %s\n", speed,
                static_cast<int>(s.report.counters.newton_iterations),
                s.report.ok() ? "converged" : s.report.reason.c_str());
    if (!s.report.ok()) {
      EXPECT_EQ(s.report.outcome, IntegrationReport::Outcome::kSingular) << s.report.reason;
    }
    for (const char* arm : {"phi_1", "phi_2"}) EXPECT_NEAR(s.Unknown(arm), M_PI / 2, 1e-4) << speed;
    EXPECT_NEAR(s.Unknown("s"), 0.08 + 0.10922, 1e-6) << speed;
  }
}

}  // namespace
}  // namespace mbsbench
