// Force laws compared with cases worked by hand. The same cases test the methods' own code
// (tests/methods/kinematics/force_elements_test.cc).
#include "reference/maximal_coordinates/forces.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mbsbench::extended {
namespace {

// Two bodies that float: a at (0, 1, 0), b at (3, 5, 0) turned by a quarter about z.
struct Scene {
  System system;
  Motion motion;
  Scene() {
    for (const char* name : {"a", "b"}) {
      system.bodies.push_back({name, 2, Diagonal(1, 1, 1), false, {}});
      Joint joint;
      joint.name = std::string("to_") + name;
      joint.type = JointType::kFree;
      joint.child = static_cast<int>(system.bodies.size()) - 1;
      system.joints.push_back(joint);
    }
    system.gravity = {};
    motion.resize(2);
    motion[0].position = {0, 1, 0};
    motion[1].position = {3, 5, 0};
    motion[1].orientation = AxisAngle({0, 0, 1}, Pi() / 2);
  }
  std::vector<Wrench> Forces(const std::vector<Real>& angles = {}) const {
    return ForcesOn(SystemData(system), motion, RotationsOf(motion), angles);
  }
};

void ExpectNear(const Vec3& a, const Vec3& b, const char* what) {
  EXPECT_LT(static_cast<double>(Norm(a - b)), 1e-31)
      << what << ": " << static_cast<double>(a.x) << ' ' << static_cast<double>(a.y) << ' '
      << static_cast<double>(a.z);
}

TEST(Forces, GravityActsOnEveryMassCentre) {
  Scene scene;
  scene.system.gravity = {0, -8, 1};
  const auto w = scene.Forces();
  ExpectNear(w[1].force, {0, -16, 2}, "weight");
  ExpectNear(w[1].moment, {}, "moment");
}

TEST(Forces, AStretchedSpringPullsItsEndsTogether) {
  Scene scene;
  // From a's centre to b's centre: 5 m along (3, 4, 0) / 5; 10 N/m x (5 - 4) m.
  scene.system.forces.Of<SpringDamper>().push_back({"s", 0, 1, {}, {}, 10, 0, 4});
  const auto w = scene.Forces();
  ExpectNear(w[0].force, {6, 8, 0}, "on a");
  ExpectNear(w[1].force, {-6, -8, 0}, "on b");
}

TEST(Forces, ASpringOffTheMassCentreTurnsItsBody) {
  Scene scene;
  // Point (0, 2, 0) of b lies at (1, 5, 0); ground point (1, 1, 0): 4 m along y, pull 10 x (4 - 1).
  scene.system.forces.Of<SpringDamper>().push_back(
      {"s", kGround, 1, {1, 1, 0}, {0, 2, 0}, 10, 0, 1});
  const auto w = scene.Forces();
  ExpectNear(w[1].force, {0, -30, 0}, "force");
  ExpectNear(w[1].moment, Cross({-2, 0, 0}, {0, -30, 0}), "moment");
  ExpectNear(w[0].force, {}, "on the other body");
}

TEST(Forces, ADamperResistsElongation) {
  Scene scene;
  scene.system.forces.Of<SpringDamper>().push_back({"s", 0, 1, {}, {}, 0, 2, 0});
  scene.motion[1].velocity = {3, 4, 7};          // 5 m/s along the line
  scene.motion[0].angular_velocity = {1, 2, 3};  // it does not move the end at the mass centre
  const auto w = scene.Forces();
  ExpectNear(w[1].force, {-6, -8, 0}, "on b");
  ExpectNear(w[0].force, {6, 8, 0}, "on a");
}

TEST(Forces, AppliedForcesKeepTheirAxesOrTurnWithTheBody) {
  Scene scene;
  scene.system.forces.Of<AppliedForce>().push_back(
      {"fixed", 1, {1, 0, 0}, {5, 0, 0}, {0, 0, 1}, false});
  auto w = scene.Forces();
  ExpectNear(w[1].force, {5, 0, 0}, "inertial force");
  ExpectNear(w[1].moment, {0, 0, 1 - 5}, "inertial moment");  // arm (0, 1, 0)
  scene.system.forces.Of<AppliedForce>()[0].in_body_axes = true;
  w = scene.Forces();
  ExpectNear(w[1].force, {0, 5, 0}, "force in body axes");
  ExpectNear(w[1].moment, {0, 0, 1},
             "moment in body axes");  // force through the mass centre's line
}

TEST(Forces, AGroundSpringPullsAndPushesAlongItsDirectionAlone) {
  Scene scene;
  // Point (0, 2, 0) of b lies at (1, 5, 0) and moves with (-4, 5, 6) + 3 z x (-2, 0, 0).
  scene.system.forces.Of<GroundSpring>().push_back({"tyre", 1, {0, 2, 0}, {0, 1, 0}, 10, 2, 4});
  scene.motion[1].velocity = {-4, 5, 6};
  scene.motion[1].angular_velocity = {0, 0, 3};
  auto w = scene.Forces();
  const Vec3 force{0, -10 * (5 - 4) - 2 * (5 - 6), 0};
  ExpectNear(w[1].force, force, "force");
  ExpectNear(w[1].moment, Cross({-2, 0, 0}, force), "moment");
  ExpectNear(w[0].force, {}, "on the other body");
  scene.system.forces.Of<GroundSpring>()[0].free_position = 7;  // now it pushes
  ExpectNear(scene.Forces()[1].force, {0, -10 * (5 - 7) + 2, 0}, "push");
  EXPECT_EQ(static_cast<double>(EnergyOf(SystemData(scene.system), scene.motion, {})),
            0.5 * 2 * (16 + 25 + 36) + 0.5 * 9 + 0.5 * 10 * 4);
}

// As in tests/methods/kinematics/force_elements_test.cc: frame A at (0, 2, 0), turned by a quarter about z; B turned from it by 5/2
// about A's (3, 0, 4) / 5.
TEST(Forces, ABushingPushesAndDampsAlongTheAxesOfItsFirstFrame) {
  Scene scene;
  Bushing e;
  e.name = "bushing", e.body_a = 0, e.body_b = 1;
  const Quat quarter = AxisAngle({0, 0, 1}, Pi() / 2);
  scene.motion[0].orientation = quarter;
  e.frame_a.position = {1, 0, 0};
  scene.motion[1].orientation = quarter * AxisAngle({Real(3) / 5, 0, Real(4) / 5}, Real(5) / 2);
  e.stiffness = {10, 20, 30};
  e.turn_stiffness = {2, 3, 4};
  scene.system.forces.Of<Bushing>() = {e};
  const Vec3 force{-60, -30, 0}, moment{0, -3, -8};
  auto w = scene.Forces();
  ExpectNear(w[1].force, force, "on b");
  ExpectNear(w[1].moment, moment, "about b");
  ExpectNear(w[0].force, -force, "on a");
  ExpectNear(w[0].moment, -Cross({3, 4, 0}, force) - moment, "about a");
  EXPECT_LT(static_cast<double>(Abs(EnergyOf(SystemData(scene.system), scene.motion, {}) - 135)),
            1e-28)
      << "unequal stiffnesses of the rotation have no potential";
  scene.system.forces.Of<Bushing>()[0].turn_stiffness = {4, 4, 4};
  EXPECT_LT(static_cast<double>(
                Abs(EnergyOf(SystemData(scene.system), scene.motion, {}) - Real(295) / 2)),
            1e-28)
      << "equal ones have k_r angle^2 / 2";

  scene.system.forces.Of<Bushing>()[0].stiffness =
      scene.system.forces.Of<Bushing>()[0].turn_stiffness = {};
  scene.system.forces.Of<Bushing>()[0].damping = {1, 2, 3};
  scene.system.forces.Of<Bushing>()[0].turn_damping = {5, 6, 7};
  scene.motion[0].velocity = {Real(1) / 2, 0, 0};
  scene.motion[0].angular_velocity = {0, 0, 2};
  scene.motion[1].velocity = {1, 2, 3};
  scene.motion[1].angular_velocity = {1, 0, Real(1) / 2};
  w = scene.Forces();
  ExpectNear(w[1].force, {-17, 4, -9}, "on b");
  ExpectNear(w[1].moment, {-6, 0, Real(21) / 2}, "about b");
}

TEST(Forces, ATorsionSpringTurnsTheChildBackAndTheParentForward) {
  Scene scene;
  scene.system.joints[1].type = JointType::kRevolute;
  scene.system.joints[1].parent = 0;
  scene.system.forces.Of<JointSpringDamper>().push_back({"t", 1, 8, 3, 0.5});
  scene.motion[1].angular_velocity = {0, 0, 2};
  const auto w = scene.Forces({Pi() / 2});
  const Real torque = -8 * (Pi() / 2 - Real(0.5)) - 6;
  ExpectNear(w[1].moment, {0, 0, torque}, "on the child");
  ExpectNear(w[0].moment, {0, 0, -torque}, "on the parent");
}

TEST(Forces, ATorsionSpringCountsFullTurns) {
  Scene scene;
  scene.system.joints[1].type = JointType::kRevolute;
  scene.system.forces.Of<JointSpringDamper>().push_back({"t", 1, 1, 0, 0});
  const Real wound = Pi() / 2 + 4 * Pi();  // two turns more
  const auto w = scene.Forces({wound + Real(0.3)});
  ExpectNear(w[1].moment, {0, 0, -wound}, "on the child");
}

TEST(Forces, ASpringAlongAPrismaticJointActsOnOneLine) {
  Scene scene;
  scene.system.joints[1].type = JointType::kPrismatic;  // along the ground's z through the origin
  scene.system.joints[1].parent = 0;
  scene.system.forces.Of<JointSpringDamper>().push_back({"t", 1, 10, 0, 1});
  scene.motion[1].position = {0, 1, 4};  // 4 m along a's z
  const auto w = scene.Forces({0});
  ExpectNear(w[1].force, {0, 0, -30}, "on the child");
  ExpectNear(w[0].force, {0, 0, 30}, "on the parent");
  ExpectNear(w[0].moment, {}, "moment on the parent");
}

// The power of all spring forces is minus the rate of their potential. This tests every sign above at
// once.
TEST(Forces, WorkOfSpringsEqualsTheLossOfTheirPotential) {
  Scene scene;
  scene.system.gravity = {0.5, -9, 2};
  scene.system.forces.Of<SpringDamper>().push_back(
      {"s", 0, 1, {0.1, 0.2, 0.3}, {-0.4, 0.1, 0.2}, 10, 0, 4});
  scene.system.forces.Of<GroundSpring>().push_back(
      {"g", 1, {0.3, 0.2, 0.1}, {0.48, 0.6, 0.64}, 20, 0, 1});
  scene.motion[0].velocity = {1, 2, -1};
  scene.motion[0].angular_velocity = {0.3, 0.2, -0.5};
  scene.motion[1].velocity = {-1, 0.4, 2};
  scene.motion[1].angular_velocity = {-0.1, 0.7, 0.2};
  const auto w = scene.Forces();
  Real power = 0;
  for (std::size_t b = 0; b < 2; ++b) {
    power += Dot(w[b].force, scene.motion[b].velocity) +
             Dot(w[b].moment, scene.motion[b].angular_velocity);
  }
  const auto potential = [&](Real t) {  // kinetic energy does not change along straight motion with
                                        // constant rates in J = 1
    Motion m = scene.motion;
    for (BodyMotion& b : m) {
      const Real rate = Norm(b.angular_velocity);
      b.position = b.position + t * b.velocity;
      b.orientation = AxisAngle((1 / rate) * b.angular_velocity, rate * t) * b.orientation;
    }
    return EnergyOf(SystemData(scene.system), m, {});
  };
  const Real h = 1e-8;
  EXPECT_NEAR(static_cast<double>((potential(h) - potential(-h)) / (2 * h) + power), 0, 1e-13);
}

}  // namespace
}  // namespace mbsbench::extended
