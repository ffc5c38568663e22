// References of systems with bushings, against closed forms and computed values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "reference/reference.h"
#include "tests/support/printed_motion.h"

namespace mbsbench {
namespace {

constexpr double kMountedMass = 1.5, kMountedInertia = 0.2, kMountedTurn = 2.5;
constexpr Vector3 kMountedAxis{0.6, 0, 0.8}, kMountedStart{0.3, -0.2, 0.1};

// A free body in a bushing on the ground, displaced and turned.
Problem MountedBody() {
  Problem p;
  p.name = "mounted-body";
  System& s = p.system;
  s.bodies = {{"body",
               kMountedMass,
               Diagonal(kMountedInertia, kMountedInertia, kMountedInertia),
               false,
               {}}};
  s.joints = {{"joint", JointType::kFree, kGround, 0, {}, {}}};
  s.gravity = {};
  s.forces.Of<Bushing>() = {{"mount", kGround, 0, {}, {}, {100, 200, 300}, {}, {7, 7, 7}, {}}};
  const Quaternion q = AxisAngle(kMountedAxis, kMountedTurn);
  const Vector3& d = kMountedStart;
  p.initial.joints = {{d.x, d.y, d.z, q.w, q.x, q.y, q.z}, {0, 0, 0, 0, 0, 0}};
  p.end_time = p.length = 1;
  p.sample_times = {0, 0.4, 1};
  return p;
}

// Each displacement swings by itself, and so does the rotation about an axis that keeps its direction, however large.
TEST(ReferenceOfBushings, SwingsAtTheirFrequencies) {
  for (const ReferenceSample& sample : SolveUncertified(MountedBody()).samples) {
    const auto swing = [&](double stiffness, double inertia) {
      return std::cos(std::sqrt(stiffness / inertia) * sample.time);
    };
    const BodyState& body = sample.bodies[0];
    EXPECT_NEAR(body.position.x, kMountedStart.x * swing(100, kMountedMass), 1e-12);
    EXPECT_NEAR(body.position.y, kMountedStart.y * swing(200, kMountedMass), 1e-12);
    EXPECT_NEAR(body.position.z, kMountedStart.z * swing(300, kMountedMass), 1e-12);
    const Quaternion turned = AxisAngle(kMountedAxis, kMountedTurn * swing(7, kMountedInertia));
    EXPECT_LT(AngleBetween(body.orientation, turned), 1e-12);
  }
}

// m a = -k d - c v and J alpha = -k_r t - c_r omega, component by component.
TEST(ReferenceOfBushings, AcceleratesTheirBodyAlongAllAxes) {
  Problem p = MountedBody();
  Bushing& e = p.system.forces.Of<Bushing>()[0];
  e.turn_stiffness = {5, 6, 7};
  e.damping = {1, 2, 3};
  e.turn_damping = {0.4, 0.5, 0.6};
  const Vector3 omega{0.3, 0.2, -0.7};
  const Vector3 w = Rotate(Conjugate(AxisAngle(kMountedAxis, kMountedTurn)), omega);
  p.initial.joints.u = {1, -2, 0.5, w.x, w.y, w.z};
  const auto seen = ReferenceAccelerations(p.system, p.initial.joints).accelerations[0];
  const Vector3 force{-100 * 0.3 - 1, 200 * 0.2 + 4, -300 * 0.1 - 1.5};
  const Vector3 moment{-5 * 0.6 * kMountedTurn - 0.12, -0.1, -7 * 0.8 * kMountedTurn + 0.42};
  EXPECT_LT(Norm(seen.acceleration - 1 / kMountedMass * force), 1e-13);
  EXPECT_LT(Norm(seen.angular_acceleration - 1 / kMountedInertia * moment), 1e-13);
}

TEST(ReferenceOfBushings, MovesAFourbarAsComputed) {
  for (const char* name : {"fourbar-bushing", "fourbar-bushing:k=1e6"})
    ExpectMotionAsPrinted(name, 2e-14);
}

// Compliance k^-1 moves the linkage by as much: at 0.1 s vibrations are damped out, and what the bushing exerts is the reaction of
// the joint in its place.
TEST(ReferenceOfBushings, TurnAFourbarIntoTheClosedOneInProportionToTheirCompliance) {
  const auto end_of = [](Problem p) {
    p.end_time = 0.1;
    p.sample_times = {0, p.end_time};
    return SolveUncertified(p).samples.back();
  };
  const ReferenceSample closed = end_of(MakeProblem("fourbar"));
  const Vector3 reaction = closed.reactions.back().force;  // of the loop joint on the rocker
  for (const double k : {1e5, 1e6, 1e7}) {
    Problem p = MakeProblem("fourbar-bushing:k=" + std::to_string(k));
    Bushing& top = p.system.forces.Of<Bushing>()[0];
    top.damping = {0.3 * std::sqrt(k), 0.3 * std::sqrt(k), 0};
    const ReferenceSample elastic = end_of(p);
    EXPECT_NEAR(k * Norm(elastic.bodies[2].position - closed.bodies[2].position), 80, 40);
    const BodyState &coupler = elastic.bodies[1], &rocker = elastic.bodies[2];
    const Vector3 of_coupler = Rotate(coupler.orientation, top.frame_a.position),
                  of_rocker = Rotate(rocker.orientation, top.frame_b.position);
    const Vector3 open = rocker.position + of_rocker - coupler.position - of_coupler;
    const Vector3 opens = rocker.velocity + Cross(rocker.angular_velocity, of_rocker) -
                          coupler.velocity - Cross(coupler.angular_velocity, of_coupler) -
                          Cross(coupler.angular_velocity, open);
    const Vector3 force = -k * open - top.damping.x * opens;
    EXPECT_LT(Norm(force - reaction), 1e3 / k * Norm(reaction)) << k;
  }
}

// A body that spins in its bushing fast enough to turn over.
TEST(ReferenceOfBushings, EndsWhereARotationReachesPi) {
  Problem p = MountedBody();
  const double turning = std::sqrt(7 / kMountedInertia);  // [rad/s] of small rotations
  const Vector3 axis = kMountedAxis;
  const auto spin = [&](double rate) {
    p.initial.joints = {{0, 0, 0, 1, 0, 0, 0},
                        {0, 0, 0, rate * axis.x, rate * axis.y, rate * axis.z}};
    return SolveUncertified(p);
  };
  EXPECT_NO_THROW(spin(0.99 * M_PI * turning));
  try {
    spin(1.01 * M_PI * turning);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("rotation of bushing 'mount' reaches pi"));
  }
}

TEST(ReferenceOfBushings, HasAnotherHashForEveryField) {
  Problem p = MountedBody();
  const std::string one = ParameterHash(p);
  p.system.forces.Of<Bushing>()[0].frame_a.orientation = AxisAngle({0, 0, 1}, 1e-3);
  const std::string turned = ParameterHash(p);
  EXPECT_NE(turned, one);
  p.system.forces.Of<Bushing>()[0].turn_damping.z = 1;
  EXPECT_NE(ParameterHash(p), turned);
}

}  // namespace
}  // namespace mbsbench
