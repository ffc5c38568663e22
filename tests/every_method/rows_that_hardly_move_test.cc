// Linkages in and beside positions where rows of a loop move nothing, and with them the accelerations that those rows forbid.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "methods/all_methods.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/redundant_mechanisms.h"
#include "reference/reference.h"
#include "tests/support/observed_reactions.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

RedundantMechanism TheMechanism(const std::string& name) {
  const std::vector<RedundantMechanism> all = RedundantMechanisms();
  return *std::ranges::find(all, name, &RedundantMechanism::name);
}

SystemState StateAt(const System& system, const JointState& joints) {
  return {joints, ForwardKinematics(system, joints)};
}

const Quaternion kAslant = Normalised({0.8, -0.3, 0.5, 0.2});

// tan(first / 2) tan(second / 2) = k; at first = 0 its rods lie in one line, along which two rows move nothing. With its
// angles of 65 degrees at the start.
JointState BennettAt(double first, double rate) {
  const double alpha = 40 * M_PI / 180, beta = std::asin(1.5 * std::sin(alpha));
  const double k = std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2);
  const auto second = [k](double angle) {
    return 2 * std::atan2(k * std::cos(angle / 2), std::sin(angle / 2));
  };
  const double start = 65 * M_PI / 180;
  const double ratio = std::sin(second(first) / 2) / std::cos(first / 2);
  return {{first - start, second(first) - second(start), start - first},
          {rate, -rate * ratio * ratio / k, -rate}};
}

TEST(EveryMethod, AcceleratesBennettsLinkageInAndBesideItsStretchedPosition) {
  const RedundantMechanism printed = TheMechanism("bennett");
  for (const RedundantMechanism& m : {printed, Turned(printed, kAslant)}) {
    for (const double first : {0., 1e-8, 1e-6, 1e-5, 3e-5, -1e-4, 1e-4, 3e-4, 1e-3, 1e-2, -0.3}) {
      SCOPED_TRACE(first);
      const SystemState state = StateAt(m.system, BennettAt(first, 1.1));
      const ConstraintResidual open = ConstraintResiduals(m.system, state.bodies, 1, 1);
      ASSERT_LT(std::max(open.position, open.velocity), 1e-14);
      const ReferenceDynamics truth = ReferenceAccelerations(m.system, state.joints);
      ForReactionsOfEveryVariant(
          m.system, state, [&](const MethodChoice&, const Observation& mine) {
            double worst = 0, size = 0;
            for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
              const ReferenceAcceleration& a = truth.accelerations[b];
              Raise(worst,
                    {Norm(mine.accelerations[b].acceleration - a.acceleration),
                     Norm(mine.accelerations[b].angular_acceleration - a.angular_acceleration)});
              Raise(size, Norm(a.angular_acceleration));
            }
            EXPECT_LT(worst, 1e-9 * size);
          });
    }
  }
}

TEST(EveryMethod, PassesTheStretchedPositionOfBennettsLinkage) {
  const RedundantMechanism m = Turned(TheMechanism("bennett"), kAslant);
  const SystemState start = StateAt(m.system, BennettAt(0.3, -1.5));
  const double energy = EnergyOf(m.system, start.bodies).total();
  for (const char* spec : {"articulated-body", "composite-body", "riccati-mstmm", "classical-mstmm",
                           "equivalent-particles", "cartesian-dae:index1"}) {
    SCOPED_TRACE(spec);
    const auto formulation =
        Prepare(ChooseMethod(spec, AllMethods()), GivenSystem(m.system, {.time = 1}));
    int seen = 0;
    Sampling samples;
    for (int k = 1; k <= 50; ++k) samples.times.push_back(0.01 * k);
    samples.sink = [&](double time, std::span<const double> y, double) {
      Observation at;
      const Status status = formulation->Observe(time, y, Detail::kAccelerations, at);
      EXPECT_TRUE(status.ok()) << time << " s: " << status.what;
      if (!status.ok()) return;
      EXPECT_NEAR(EnergyOf(m.system, at.bodies).total(), energy, 1e-7) << time;
      ++seen;
    };
    const IntegrationReport report = Integrate(
        *formulation, start, {.integrator = "dopri5", .end_time = 0.5, .tolerance = 1e-9}, samples);
    EXPECT_TRUE(report.ok()) << report.reason;
    EXPECT_EQ(50, seen);
  }
}

// The platform is 2 sin(e) high where the legs rise by e, at a constant rate: no body has an angular acceleration.
TEST(EveryMethod, AcceleratesSarrusLinkageThatIsDrivenAtAHinge) {
  constexpr double kRate = 0.4;  // [rad/s] of e
  RedundantMechanism m = TheMechanism("sarrus");
  Driver driver;
  driver.name = "foot";
  driver.joint = 0;
  driver.motion.rate = -kRate;  // about y
  m.system.drivers = {driver};
  m = Turned(m, kAslant);
  const double start = std::asin(0.4);
  for (int k = 0; k <= 60; ++k) {
    const double e = k == 60 ? M_PI / 4 : 0.1 + 1.3 * k / 60, turn = e - start;
    SCOPED_TRACE(e);
    const SystemState state = StateAt(m.system, {{-turn, 2 * turn, -turn, turn, -2 * turn},
                                                 {-kRate, 2 * kRate, -kRate, kRate, -2 * kRate}});
    ASSERT_LT(ConstraintResiduals(m.system, state.bodies, 1, 1).position, 1e-14);
    const Vector3 up = Rotate(kAslant, {0, 0, -2 * std::sin(e) * kRate * kRate});
    ForReactionsOfEveryVariant(m.system, state,
                               [&](const MethodChoice& choice, const Observation& mine) {
                                 if (choice.form() == Form::kAlgebraic)
                                   return;  // its motion is steady
                                 EXPECT_LT(Norm(mine.accelerations[0].acceleration - up), 1e-10);
                                 for (const BodyAcceleration& a : mine.accelerations)
                                   EXPECT_LT(Norm(a.angular_acceleration), 1e-10);
                               });
  }
}

// Two flat windows: the cranks of each turn alike, or the first of them stands still; other rates need accelerations along
// the rods, which move nothing there.
TEST(EveryMethod, RefusesRatesOfAFlatLinkageThatNoAccelerationCanFollow) {
  const RedundantMechanism printed = TheMechanism("nfourbar2-90");
  const auto rates = [](double first, double second, double third) {
    const double coupler = second - first, next = third - second;
    return std::vector<double>{first, second, third, coupler - first, next - coupler};
  };
  const std::vector<double> still(5);
  for (const RedundantMechanism& m : {printed, Turned(printed, kAslant)}) {
    const SystemState alike = StateAt(m.system, {still, rates(1, 1, 1)}),
                      unlike = StateAt(m.system, {still, rates(1, 2, 2)});
    for (const char* spec : {"articulated-body", "composite-body", "riccati-mstmm",
                             "classical-mstmm", "cartesian-dae", "cartesian-dae:index1"}) {
      SCOPED_TRACE(spec);
      const auto formulation =
          Prepare(ChooseMethod(spec, AllMethods()), GivenSystem(m.system, {.time = 1}));
      std::vector<double> y(formulation->state_size());
      Observation seen;
      const auto observe = [&](const SystemState& state) {
        const Status status = formulation->Initialise(0, state, y);
        return status.ok() ? formulation->Observe(0, y, Detail::kAccelerations, seen) : status;
      };
      EXPECT_TRUE(observe(alike).ok());
      const Status refused = observe(unlike);
      EXPECT_EQ(refused.code, Status::Code::kSingular);
      EXPECT_GE(refused.joint, 5) << "a joint of a loop";
    }
  }
}

}  // namespace
}  // namespace mbsbench
