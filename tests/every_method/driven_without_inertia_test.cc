// Driven bodies whose own motion moves no inertia: pointers on a driven pin, on each other, on a driven slide, and points of mass on the
// driven axis.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/model/kinematics.h"
#include "problems/model/problem.h"
#include "reference/reference.h"

namespace mbsbench {
namespace {

struct Arm {
  System system;
  SystemState state;
};

// An arm on a pin, a driven body on it with mass and inertia as given, and a massless driven pointer on that.
Arm ArmWith(JointType driven, double mass, const Vector3& centre, bool with_second) {
  Arm a;
  System& s = a.system;
  s.bodies = {{"arm", 1, Diagonal(0.1, 0.1, 0.1), false, {}}, {"pointer", mass, {}, false, {}}};
  const Quaternion tilt = AxisAngle({0.6, 0.8, 0}, 0.7);
  s.joints = {{"pin", JointType::kRevolute, kGround, 0, {}, {{-0.5, 0, 0}, {}}},
              {"turn", driven, 0, 1, {{0.5, 0.1, 0}, tilt}, {-1 * Rotate(tilt, centre), tilt}}};
  s.drivers = {{"motor", 1, {}}};
  s.drivers[0].motion.kind = MotionKind::kHarmonic;
  s.drivers[0].motion.amplitude = 0.4;
  s.drivers[0].motion.angular_frequency = 3;
  s.drivers[0].motion.phase = 0.5;
  s.forces.Of<AppliedForce>() = {{"push", 1, {0.2, 0.1, 0}, {1, 2, 3}, {0.3, -0.2, 0.1}, true}};
  const auto start = MotionAt(s.drivers[0].motion, 0.);
  a.state.joints = {{0.2, start.position}, {1, start.rate}};
  if (with_second) {
    s.bodies.push_back({"second", 0, {}, false, {}});
    s.joints.push_back({"turn again", JointType::kRevolute, 1, 2, {{0.1, 0.2, 0.3}, {}}, {}});
    s.drivers.push_back({"second motor", 2, {.rate = 2}});
    a.state.joints.q.push_back(0.3);
    a.state.joints.u.push_back(2);
  }
  a.state.bodies = ForwardKinematics(s, a.state.joints);
  return a;
}

TEST(EveryMethod, AcceleratesDrivenBodiesThatMoveNoInertia) {
  for (const JointType driven : {JointType::kRevolute, JointType::kPrismatic}) {
    for (const double mass : {0., 0.7}) {
      if (driven == JointType::kPrismatic && mass > 0) continue;  // moves its mass
      for (const bool with_second : {false, true}) {
        // A point of mass on the axis has no inertia about it.
        const Arm a = ArmWith(driven, mass, mass > 0 ? Vector3{0, 0, 0.2} : Vector3{}, with_second);
        const ReferenceDynamics truth = ReferenceAccelerations(a.system, a.state.joints);
        int variants = 0;
        for (const MethodEntry& entry : AllMethods()) {
          for (const MethodChoice& choice : VariantsOf(entry)) {
            if (!VerdictOf(entry, a.system, choice.options).supported) continue;
            SCOPED_TRACE(choice.spec + " " + std::string(Name(driven)) + " " +
                         std::to_string(mass));
            const auto formulation = Prepare(choice, a.system);
            std::vector<double> y(formulation->state_size());
            Observation seen;
            Status status = formulation->Initialise(0, a.state, y);
            if (status.ok()) status = formulation->Observe(0, y, Detail::kReactions, seen);
            EXPECT_TRUE(status.ok()) << status.what;
            if (!status.ok()) continue;
            for (std::size_t b = 0; b < a.system.bodies.size(); ++b) {
              const auto& exact = truth.accelerations[b];
              EXPECT_LT(Norm(seen.accelerations[b].acceleration - exact.acceleration), 1e-11);
              EXPECT_LT(
                  Norm(seen.accelerations[b].angular_acceleration - exact.angular_acceleration),
                  1e-11);
            }
            for (std::size_t d = 0; d < a.system.drivers.size(); ++d)
              EXPECT_NEAR(truth.efforts[d], seen.drivers[d].effort, 1e-11);
            ++variants;
          }
        }
        EXPECT_GT(variants, 8);
      }
    }
  }
}

// The free coordinate of the arm after 1 s is that of another formulation.
TEST(DrivenWithoutInertia, FollowsItsDriverOverTime) {
  const Arm a = ArmWith(JointType::kRevolute, 0, {}, true);
  const std::vector<MethodEntry> methods = AllMethods();
  const auto end_of = [&](const std::string& spec) {
    const MethodChoice choice = ChooseMethod(spec, methods);
    const auto formulation = Prepare(choice, a.system);
    const IntegrationReport report = Integrate(
        *formulation, a.state, {.integrator = "dopri5", .end_time = 1, .tolerance = 1e-10});
    EXPECT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << spec << ": " << report.reason;
    Observation seen;
    EXPECT_TRUE(formulation->Observe(1, report.end_state, Detail::kMotion, seen).ok());
    return seen.bodies;
  };
  const auto particles = end_of("equivalent-particles"), sweep = end_of("articulated-body");
  for (std::size_t b = 0; b < sweep.size(); ++b) {
    EXPECT_LT(Norm(particles[b].position - sweep[b].position), 1e-8);
    EXPECT_LT(AngleBetween(particles[b].orientation, sweep[b].orientation), 1e-8);
    EXPECT_LT(Norm(particles[b].angular_velocity - sweep[b].angular_velocity), 1e-7);
  }
}

}  // namespace
}  // namespace mbsbench
