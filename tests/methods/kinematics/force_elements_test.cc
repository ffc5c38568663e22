// The force laws of the methods, compared with cases worked by hand; the same cases test the
// reference's own code (tests/reference/forces_test.cc).
#include "methods/kinematics/force_elements.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/model/kinematics.h"

namespace mbsbench {
namespace {

// Two bodies that float: a at (0, 1, 0), b at (3, 5, 0) turned by a quarter about z.
struct Scene {
  System system;
  std::vector<BodyState> bodies{2};
  Scene() {
    system.bodies = {{"a", 2, Diagonal(1, 1, 1), false, {}},
                     {"b", 2, Diagonal(1, 1, 1), false, {}}};
    system.gravity = {};
    bodies[0].position = {0, 1, 0};
    bodies[1].position = {3, 5, 0};
    bodies[1].orientation = AxisAngle({0, 0, 1}, M_PI / 2);
  }
  std::vector<Wrench> Forces() const {
    std::vector<Wrench> wrenches(2);
    AddForceElements(system, bodies, wrenches);
    return wrenches;
  }
};

void ExpectNear(const Vector3& a, const Vector3& b, const char* what) {
  EXPECT_LT(Norm(a - b), 1e-14) << what << ": " << a.x << ' ' << a.y << ' ' << a.z;
}

TEST(ForceElements, AStretchedSpringPullsItsEndsTogether) {
  Scene scene;
  scene.system.forces.Of<SpringDamper>().push_back({"s", 0, 1, {}, {}, 10, 0, 4});
  const auto w = scene.Forces();
  ExpectNear(w[0].force, {6, 8, 0}, "on a");
  ExpectNear(w[1].force, {-6, -8, 0}, "on b");
}

TEST(ForceElements, AGroundSpringPullsAndPushesAlongItsDirectionAlone) {
  Scene scene;
  // Point (0, 2, 0) of b lies at (1, 5, 0) and moves with (-4, 5, 6) + 3 z x (-2, 0, 0).
  scene.system.forces.Of<GroundSpring>().push_back({"tyre", 1, {0, 2, 0}, {0, 1, 0}, 10, 2, 4});
  scene.bodies[1].velocity = {-4, 5, 6};
  scene.bodies[1].angular_velocity = {0, 0, 3};
  const auto w = scene.Forces();
  const Vector3 force{0, -10 * (5 - 4) - 2 * (5 - 6), 0};
  ExpectNear(w[1].force, force, "force");
  ExpectNear(w[1].moment, Cross({-2, 0, 0}, force), "moment");
  ExpectNear(w[0].force, {}, "on the other body");
  scene.system.forces.Of<GroundSpring>()[0].free_position = 7;  // now it pushes
  ExpectNear(scene.Forces()[1].force, {0, -10 * (5 - 7) + 2, 0}, "push");
}

// The power of the damper is the power of the force plus the rate of the potential.
TEST(ForceElements, PowerOfAGroundSpringIsThatOfItsDamperLessTheRateOfItsPotential) {
  Scene scene;
  scene.system.forces.Of<GroundSpring>().push_back(
      {"g", 1, {0.3, 0.2, 0.1}, {0.48, 0.6, 0.64}, 20, 3, 1});
  scene.bodies[1].velocity = {-1, 0.4, 2};
  scene.bodies[1].angular_velocity = {-0.1, 0.7, 0.2};
  ASSERT_TRUE(scene.system.forces.AnyOnBodies());
  ASSERT_TRUE(HasNonConservativeForces(scene.system));
  const auto w = scene.Forces();
  const double power = Dot(w[1].force, scene.bodies[1].velocity) +
                       Dot(w[1].moment, scene.bodies[1].angular_velocity);
  const auto potential = [&](double t) {
    std::vector<BodyState> later = scene.bodies;
    const Vector3& omega = later[1].angular_velocity;
    later[1].position = later[1].position + t * later[1].velocity;
    later[1].orientation =
        AxisAngle((1 / Norm(omega)) * omega, Norm(omega) * t) * later[1].orientation;
    return EnergyOf(scene.system, later).potential;
  };
  const double h = 1e-5, taken_up = (potential(h) - potential(-h)) / (2 * h);
  const double damped = NonConservativePower(scene.system, 0, scene.bodies, nullptr);
  EXPECT_NEAR(power, damped - taken_up, 1e-7);
  EXPECT_LT(damped, -1);
  scene.system.forces.Of<GroundSpring>()[0].damping = 0;
  EXPECT_FALSE(HasNonConservativeForces(scene.system));
  EXPECT_EQ(NonConservativePower(scene.system, 0, scene.bodies, nullptr), 0);
}

}  // namespace
}  // namespace mbsbench
