// Torsion springs depend on the joint coordinate, which includes full turns. The test case is a wheel wound up
// by 10 rad: J = 1 kg m^2 on a spring of 4 N m/rad, q = 10 cos 2t through one turn and a half to
// either side.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "harness/conform/promise.h"
#include "harness/integrate/integrate.h"
#include "harness/metrics/accuracy_judge.h"
#include "harness/metrics/sampled_joints.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/kinematics.h"
#include "tests/support/residual_jacobian.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

constexpr double kWound = 10, kStiffness = 4, kEnergy = 200;

Problem Wheel() {
  Problem p = MakeProblem("pendulum");
  p.name = "wheel";
  p.system.bodies[0].inertia = Diagonal(1, 1, 1);
  p.system.bodies[0].is_point = false;
  p.system.joints[0].child_frame.position = {};
  p.system.forces.Of<JointSpringDamper>().push_back({"spring", 0, kStiffness, 0, 0});
  p.initial.joints.q = {kWound};
  p.published.clear();
  p.end_time = 5;
  p.energy_reference = kEnergy;
  SetSampleTimes(p);
  return p;
}

double AngleAt(double t) { return kWound * std::cos(2 * t); }
double RateAt(double t) { return -2 * kWound * std::sin(2 * t); }

// The state of the wheel at an angle.
std::vector<BodyState> WheelAt(const Problem& p, double angle, double rate) {
  return ForwardKinematics(p.system, {{angle}, {rate}});
}

// Every variant of every method that supports the wheel.
std::vector<MethodChoice> Variants(const std::vector<MethodEntry>& methods, const System& system) {
  std::vector<MethodChoice> variants;
  for (const MethodEntry& entry : methods) {
    if (entry.form == Form::kAlgebraic) continue;
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (VerdictOf(entry, system, choice.options).supported) variants.push_back(choice);
    }
  }
  return variants;
}

bool Holds(const std::vector<MethodChoice>& variants, const std::string& spec) {
  for (const MethodChoice& choice : variants) {
    if (choice.spec == spec) return true;
  }
  return false;
}

class TorsionSpringTurns : public testing::Test {
 protected:
  const Problem wheel_ = Wheel();
  const SystemState start_ = Assemble(wheel_.system, wheel_.initial, wheel_.length).state;
  const std::vector<MethodEntry> methods_ = AllMethods();
  const std::vector<MethodChoice> variants_ = Variants(methods_, wheel_.system);

  std::unique_ptr<Formulation> Prepare(const MethodChoice& choice) const {
    return mbsbench::Prepare(choice, wheel_);
  }
};

TEST_F(TorsionSpringTurns, AreSupportedByAllVariantsThatFollowTurns) {
  for (const char* spec :
       {"articulated-body", "riccati-mstmm:general", "classical-mstmm:general",
        "kane-huston:general", "cartesian-dae:ggl", "cartesian-dae:baumgarte",
        "cartesian-dae:index3", "cartesian-dae:index1", "equivalent-particles:index1",
        "equivalent-particles:ggl", "equivalent-particles:index1-dae"})
    EXPECT_TRUE(Holds(variants_, spec)) << spec;
}

TEST_F(TorsionSpringTurns, AccelerateTheWheelTowardsTheUnwoundPosition) {
  for (const MethodChoice& choice : variants_) {
    SCOPED_TRACE(choice.spec);
    const auto formulation = Prepare(choice);
    std::vector<double> y(formulation->state_size());
    ASSERT_TRUE(formulation->Initialise(0, start_, y).ok());
    for (int look = 0; look < 2; ++look) {  // the second must count as many turns
      Observation seen;
      ASSERT_TRUE(formulation->Observe(0, y, Detail::kAccelerations, seen).ok());
      EXPECT_NEAR(seen.accelerations[0].angular_acceleration.z, -kStiffness * kWound,
                  1e-12 * kStiffness * kWound);
      EXPECT_NEAR(EnergyOf(wheel_.system, seen.bodies, start_.joints).total(), kEnergy,
                  1e-12 * kEnergy);
    }
  }
}

// A formulation that has followed one motion starts the next one from the coordinates of the new motion.
TEST_F(TorsionSpringTurns, AreCountedFromEachNewInitialState) {
  for (const MethodChoice& choice : variants_) {
    SCOPED_TRACE(choice.spec);
    const auto formulation = Prepare(choice);
    std::vector<double> y(formulation->state_size());
    for (double q : {10.0, -30.0, 0.5, 3.5, 100.0}) {
      const SystemState state{{{q}, {0}}, WheelAt(wheel_, q, 0)};
      ASSERT_TRUE(formulation->Initialise(0, state, y).ok());
      Observation seen;
      ASSERT_TRUE(formulation->Observe(0, y, Detail::kAccelerations, seen).ok());
      EXPECT_NEAR(seen.accelerations[0].angular_acceleration.z, -kStiffness * q, 1e-10);
    }
  }
}

TEST_F(TorsionSpringTurns, UnwindThroughAllTurns) {
  for (const MethodChoice& choice : variants_) {
    const bool is_ode = choice.form() == Form::kOde;
    const std::string integrator = is_ode ? "dopri5" : "ida";
    if (choice.form() == Form::kTimeStepper) continue;  // no tolerance to meet
    if (LimitOn("energy", choice) || !Supports(choice, wheel_.system, integrator).supported)
      continue;
    SCOPED_TRACE(choice.spec + " by " + integrator);
    const auto formulation = Prepare(choice);
    AccuracyJudge judge(wheel_, nullptr, start_.bodies);
    double angle_off = 0, rate_off = 0;
    Sampling sampling;
    sampling.times = wheel_.sample_times;
    sampling.sink = [&](double t, std::span<const double> y, double work) {
      Observation seen;
      ASSERT_TRUE(formulation->Observe(t, y, Detail::kMotion, seen).ok());
      judge.Add(t, seen, work);
      const BodyState truth = WheelAt(wheel_, AngleAt(t), RateAt(t))[0];
      Raise(angle_off, AngleBetween(seen.bodies[0].orientation, truth.orientation));
      Raise(rate_off, std::abs(seen.bodies[0].angular_velocity.z - RateAt(t)));
    };
    IntegrationSettings settings;
    settings.integrator = integrator;
    settings.end_time = wheel_.end_time;
    settings.tolerance = 1e-10;
    const IntegrationReport report = Integrate(*formulation, start_, settings, sampling);
    ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
    const Accuracy accuracy = judge.Finish();
    std::printf("  %-32s angle off %.1e, rate %.1e, energy drift %.1e\n", choice.spec.c_str(),
                angle_off, rate_off, accuracy.energy_drift_max);
    // A missing turn would change angles by radians and energies by at least 10 J.
    EXPECT_LT(angle_off, 1e-3);
    EXPECT_LT(rate_off, 1e-2);
    EXPECT_LT(accuracy.energy_drift_max, 1e-3);
    ASSERT_EQ(accuracy.energy_drift.size(), wheel_.sample_times.size());
  }
}

TEST_F(TorsionSpringTurns, ContributeTheirMomentToTheJacobian) {
  for (const MethodChoice& choice : variants_) {
    if (choice.form() != Form::kDae) continue;
    SCOPED_TRACE(choice.spec);
    const auto formulation = Prepare(choice);
    auto& dae = static_cast<DaeFormulation&>(*formulation);
    std::vector<double> y(dae.state_size()), yp(dae.state_size());
    ASSERT_TRUE(dae.InitialiseDae(0, start_, y, yp).ok());
    const Eigen::MatrixXd exact = DenseJacobian(dae, 100, y, yp);
    const Eigen::MatrixXd measured = JacobianByDifferences(dae, 100, y, yp);
    EXPECT_LT((exact - measured).cwiseAbs().maxCoeff(), 1e-7 * exact.cwiseAbs().maxCoeff());
  }
}

TEST_F(TorsionSpringTurns, AreFollowedFromSampleToSample) {
  SampledJoints joints(wheel_.system, wheel_.initial.joints, 0, start_.bodies,
                       SampledJoints::Followed::kTorsionSprings);
  for (double t : wheel_.sample_times) {
    joints.MoveTo(t, WheelAt(wheel_, AngleAt(t), RateAt(t)));
    EXPECT_TRUE(joints.known());
    EXPECT_NEAR(joints.joints().q[0], AngleAt(t), 1e-13);
  }
}

// For a wheel that makes many turns at constant speed between two samples, the speed determines the number
// of turns.
TEST_F(TorsionSpringTurns, AreFollowedAtHighSpeed) {
  SampledJoints joints(wheel_.system, {{0}, {50}}, 0, WheelAt(wheel_, 0, 50),
                       SampledJoints::Followed::kTorsionSprings);
  for (int k = 1; k < 20; ++k) {
    joints.MoveTo(k, WheelAt(wheel_, 50 * k, 50));
    EXPECT_TRUE(joints.known());
    EXPECT_NEAR(joints.joints().q[0], 50 * k, 1e-10);
  }
}

TEST_F(TorsionSpringTurns, MakeTheEnergyUnknownWhereSamplesAreTooFarApart) {
  AccuracyJudge judge(wheel_, nullptr, start_.bodies);
  for (double t : {0.0, 1.0, 2.0, 3.0})
    judge.Add(t, {WheelAt(wheel_, AngleAt(t), RateAt(t)), {}, {}, {}}, 0);
  const Accuracy accuracy = judge.Finish();
  EXPECT_EQ(accuracy.energy_drift[0], 0);
  EXPECT_TRUE(std::isnan(accuracy.energy_drift.back()));
  EXPECT_TRUE(std::isnan(accuracy.energy_drift_max));
}

}  // namespace
}  // namespace mbsbench
