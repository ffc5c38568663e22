// Every method on the problems that are moved in time, against their equations: the pendulum on a shaken
// pivot, and the car axis with its constraint forces.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "harness/conform/promise.h"
#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/kinematics.h"
#include "reference/printed_multipliers.h"
#include "reference/reference.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

using Visit = std::function<void(const MethodChoice&, Formulation&)>;

// Calls `check` for all variants that support the problem and returns their number.
int ForEveryMethod(const Problem& problem, const Visit& visit) {
  int count = 0;
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.form == Form::kAlgebraic) continue;
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (!VerdictOf(entry, problem.system, choice.options).supported) continue;
      SCOPED_TRACE(choice.spec);
      const auto formulation = Prepare(choice, problem);
      visit(choice, *formulation);
      ++count;
    }
  }
  return count;
}

SystemState StateOf(const System& system, const JointState& joints) {
  return {joints, ForwardKinematics(system, joints)};
}

Observation Observed(Formulation& formulation, double t, const SystemState& state) {
  std::vector<double> y(formulation.state_size());
  Observation there;
  EXPECT_TRUE(formulation.Initialise(t, state, y).ok());
  EXPECT_TRUE(formulation.Observe(t, y, Detail::kReactions, there).ok());
  return there;
}

// phi'' = -((g - a w^2 sin w t) / l) sin phi; the pull in the rod is m (l phi'^2 + (g + y'') cos phi), and
// the effort its vertical part, for the pivot has no mass.
TEST(ShakenPendulum, ObeysItsEquationOfMotionAndHasTheExactEffortAtAnyTime) {
  const Problem p = MakeProblem("kapitza");
  constexpr double kAmplitude = 0.05, kFrequency = 100, kG = 9.81;
  const int methods = ForEveryMethod(p, [&](const MethodChoice&, Formulation& formulation) {
    for (const auto& [t, phi, rate] :
         {std::array{0.0, 3.0, 0.0}, std::array{0.013, 0.7, -2.0}, std::array{2.481, -1.9, 3.5}}) {
      const double angle = kFrequency * t;
      const JointState joints{{kAmplitude * std::sin(angle), phi},
                              {kAmplitude * kFrequency * std::cos(angle), rate}};
      const Observation there = Observed(formulation, t, StateOf(p.system, joints));
      const double lift = -kAmplitude * kFrequency * kFrequency * std::sin(angle);
      const double second = -(kG + lift) * std::sin(phi);
      // The acceleration of the point at (sin phi, y - cos phi).
      const Vector3 a{second * std::cos(phi) - rate * rate * std::sin(phi),
                      lift + second * std::sin(phi) + rate * rate * std::cos(phi), 0};
      EXPECT_LT(Norm(there.accelerations[1].acceleration - a), 1e-12 * (10 + Norm(a))) << t;
      const double pull = rate * rate + (kG + lift) * std::cos(phi);
      ASSERT_EQ(there.drivers.size(), 1u);
      EXPECT_NEAR(there.drivers[0].effort, pull * std::cos(phi), 1e-11 * (10 + std::abs(pull)));
      EXPECT_NEAR(there.drivers[0].acceleration, lift, 1e-12);
    }
  });
  EXPECT_GE(methods, 12);
  EXPECT_NEAR(9.81 * std::pow(std::cos(3.0), 2), 9.6146352, 1e-7) << "as printed";
}

// Multipliers with the sign and scale of the test set.
std::vector<double> MultipliersOf(const Observation& there, const Problem& p) {
  std::vector<double> lambda;
  for (const Multiplier& one : PrintedMultipliersOf(p).quantities) {
    const JointReaction& reaction = there.reactions[static_cast<std::size_t>(one.number)];
    lambda.push_back(ValueOf(one, there.bodies, reaction.force, reaction.unique).value_or(NAN));
  }
  return lambda;
}

// Exact: p'' = (0, -1, 0, -1) and no constraint force.
TEST(CarAxis, StartsInFreeFallWithoutConstraintForces) {
  for (const bool loop : {false, true}) {
    const Problem p = MakeProblem(loop ? "caraxis:loop" : "caraxis");
    const SystemState start = Assemble(p.system, p.initial, p.length).state;
    const int methods = ForEveryMethod(p, [&](const MethodChoice&, Formulation& formulation) {
      const Observation there = Observed(formulation, 0, start);
      for (int body : {1, loop ? 3 : 2}) {
        const auto b = static_cast<std::size_t>(body);
        EXPECT_LT(Norm(there.accelerations[b].acceleration - Vector3{0, -1, 0}), 1e-11);
      }
      for (const double lambda : MultipliersOf(there, p)) EXPECT_NEAR(lambda, 0, 1e-14);
    });
    EXPECT_GE(methods, loop ? 8 : 10) << loop;
  }
}

// Multipliers at 3 s as published (GAMD in quadruple precision; right to 4e-15), by at least six
// formulations to 1e-10 of 1e-3.
TEST(CarAxis, EndsWithThePublishedConstraintForces) {
  for (const bool loop : {false, true}) {
    const Problem p = MakeProblem(loop ? "caraxis:loop" : "caraxis");
    const SystemState start = Assemble(p.system, p.initial, p.length).state;
    int exact = 0;
    ForEveryMethod(p, [&](const MethodChoice& choice, Formulation& formulation) {
      if (LimitOn("reference-" + p.name, choice)) return;
      if (choice.form() == Form::kTimeStepper) return;  // no tolerance to meet
      const bool is_ode = choice.form() == Form::kOde;
      IntegrationSettings settings{.integrator = is_ode ? "fehlberg8" : "ida"};
      settings.end_time = 3;
      settings.tolerance = is_ode ? 1e-13 : 1e-10;
      const IntegrationReport report = Integrate(formulation, start, settings);
      ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
      Observation there;
      ASSERT_TRUE(formulation.Observe(3, report.end_state, Detail::kReactions, there).ok());
      const std::vector<double> lambda = MultipliersOf(there, p);
      ASSERT_EQ(lambda.size(), 2u);
      double off = 0;
      Raise(off, {std::abs(lambda[0] + 4.73688659084893324729e-3),
                  std::abs(lambda[1] + 1.10468033125734368808e-3)});
      std::printf("  %-40s %-12s lambda off %.1e\n", choice.spec.c_str(), p.name.c_str(), off);
      EXPECT_LT(off, is_ode ? 1e-12 : 1e-8);
      exact += off < 1e-13;
    });
    EXPECT_GE(exact, 6) << p.name;
  }
}

// The reference does not depend on how the mechanism is modelled with joints.
TEST(CarAxis, HasTheSameReferenceAsATreeAndWithALoop) {
  const Problem tree = MakeProblem("caraxis"), loop = MakeProblem("caraxis:loop");
  const auto of_tree = FindReference(tree), of_loop = FindReference(loop);
  ASSERT_TRUE(of_tree && of_loop);
  ASSERT_EQ(of_tree->samples.size(), of_loop->samples.size());
  double apart = 0;
  for (std::size_t k = 0; k < of_tree->samples.size(); ++k) {
    const auto &a = of_tree->samples[k].bodies, &b = of_loop->samples[k].bodies;
    for (const auto& [i, j] : {std::pair{0, 0}, std::pair{1, 1}, std::pair{2, 3}}) {
      const BodyState &s = a[static_cast<std::size_t>(i)], &r = b[static_cast<std::size_t>(j)];
      Raise(apart, {Norm(s.position - r.position), Norm(s.velocity - r.velocity)});
    }
  }
  EXPECT_LT(apart, 1e-15);
}

}  // namespace
}  // namespace mbsbench
