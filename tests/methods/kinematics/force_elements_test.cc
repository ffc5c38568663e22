// The force laws of the methods, compared with cases worked by hand; the same cases test the
// reference's own code (tests/reference/forces_test.cc).
#include "methods/kinematics/force_elements.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/model/force_outputs.h"
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
  EXPECT_LT(Norm(a - b), 1e-13) << what << ": " << a.x << ' ' << a.y << ' ' << a.z;
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

// Frame A: at (0, 2, 0) with its x axis along y and its y axis against x. Frame B: in the middle of b, turned from A by 2.5 about
// A's (0.6, 0, 0.8). Seen from A, B is at (3, -3, 0).
Bushing BushingOfScene(Scene& scene) {
  Bushing e;
  e.name = "bushing", e.body_a = 0, e.body_b = 1;
  e.frame_a = {{0, 1, 0}, AxisAngle({0, 0, 1}, M_PI / 2)};
  scene.bodies[1].orientation = e.frame_a.orientation * AxisAngle({0.6, 0, 0.8}, 2.5);
  return e;
}

TEST(ForceElements, ABushingPushesItsBodiesBackAlongTheAxesOfItsFirstFrame) {
  Scene scene;
  Bushing e = BushingOfScene(scene);
  e.stiffness = {10, 20, 30};
  e.turn_stiffness = {2, 3, 4};
  scene.system.forces.Of<Bushing>() = {e};
  const auto w = scene.Forces();
  // -(30, -60, 0) along A's axes, in inertial axes; on a at the same point, 4 m above and 3 m beside its centre.
  const Vector3 force{-60, -30, 0}, moment{0, -2 * 0.6 * 2.5, -4 * 0.8 * 2.5};
  ExpectNear(w[1].force, force, "on b");
  ExpectNear(w[1].moment, moment, "about b");
  ExpectNear(w[0].force, -force, "on a");
  ExpectNear(w[0].moment, -Cross({3, 4, 0}, force) - moment, "about a");
}

// b moves, a turns: the point of a that is at the origin of B moves too.
TEST(ForceElements, ABushingDampsTheRatesThatItsFirstFrameSees) {
  Scene scene;
  Bushing e = BushingOfScene(scene);
  e.damping = {1, 2, 3};
  e.turn_damping = {5, 6, 7};
  scene.system.forces.Of<Bushing>() = {e};
  scene.bodies[0].velocity = {0.5, 0, 0};
  scene.bodies[0].angular_velocity = {0, 0, 2};
  scene.bodies[1].velocity = {1, 2, 3};
  scene.bodies[1].angular_velocity = {1, 0, 0.5};
  const auto w = scene.Forces();
  // Relative to a, b moves by (1, 2, 3) - (0.5, 0, 0) - (0, 0, 2) x (3, 4, 0), which A sees as (-4, -8.5, 3).
  ExpectNear(w[1].force, {-2 * 8.5, 4, -9}, "on b");
  ExpectNear(w[1].moment, {-6, 0, 7 * 1.5}, "about b");
  EXPECT_NEAR(NonConservativePower(scene.system, 0, scene.bodies, nullptr),
              -16 - 2 * 8.5 * 8.5 - 27 - 6 - 7 * 2.25, 1e-12);
}

// With equal and with unequal stiffnesses of its rotation, which have no potential.
TEST(ForceElements, PowerOfABushingIsThatOfItsForcesPlusTheRateOfItsPotential) {
  for (const double other : {4., 1.}) {
    Scene scene;
    Bushing e = BushingOfScene(scene);
    e.frame_b = {{0.1, 0.2, 0.3}, AxisAngle({0.8, 0, 0.6}, 0.4)};
    e.stiffness = {10, 20, 30};
    e.turn_stiffness = {4, 4, other};
    scene.system.forces.Of<Bushing>() = {e};
    EXPECT_EQ(HasNonConservativeForces(scene.system), other != 4);
    scene.bodies[0].velocity = {0.4, -0.3, 0.2};
    scene.bodies[0].angular_velocity = {0.5, 0.1, -0.7};
    scene.bodies[1].velocity = {-1, 0.4, 2};
    scene.bodies[1].angular_velocity = {-0.1, 0.7, 0.2};
    const auto w = scene.Forces();
    double power = 0;
    for (int b : {0, 1}) {
      const auto i = static_cast<std::size_t>(b);
      power += Dot(w[i].force, scene.bodies[i].velocity) +
               Dot(w[i].moment, scene.bodies[i].angular_velocity);
    }
    const auto potential = [&](double t) {
      std::vector<BodyState> later = scene.bodies;
      for (BodyState& body : later) {
        const Vector3& omega = body.angular_velocity;
        body.position = body.position + t * body.velocity;
        body.orientation = AxisAngle((1 / Norm(omega)) * omega, Norm(omega) * t) * body.orientation;
      }
      return EnergyOf(scene.system, later).potential;
    };
    const double h = 1e-5, taken_up = (potential(h) - potential(-h)) / (2 * h);
    const double worked = NonConservativePower(scene.system, 0, scene.bodies, nullptr);
    EXPECT_NEAR(power, worked - taken_up, 1e-7);
    EXPECT_EQ(worked != 0, other != 4) << worked;
  }
}

// What --observe prints is computed by other code than the motion.
TEST(ForceElements, ABushingIsObservedAsTheForceAndTheMomentOnItsSecondBody) {
  Scene scene;
  Bushing e = BushingOfScene(scene);
  e.frame_b = {{0.1, 0.2, 0.3}, AxisAngle({0.8, 0, 0.6}, 0.4)};
  e.stiffness = {10, 20, 30}, e.damping = {1, 2, 3};
  e.turn_stiffness = {2, 3, 4}, e.turn_damping = {5, 6, 7};
  scene.system.forces.Of<Bushing>() = {e};
  scene.bodies[0].velocity = {0.4, -0.3, 0.2};
  scene.bodies[0].angular_velocity = {0.5, 0.1, -0.7};
  scene.bodies[1].velocity = {-1, 0.4, 2};
  scene.bodies[1].angular_velocity = {-0.1, 0.7, 0.2};
  const std::vector<ForceOutputs> outputs = ForceOutputsOf(scene.system);
  ASSERT_EQ(outputs.size(), 1U);
  const JointState none;
  std::vector<double> seen;
  outputs[0].append({0, scene.bodies, none}, seen);
  ASSERT_EQ(seen.size(), 6U);
  const Wrench w = scene.Forces()[1];  // about the centre of b
  const Vector3 arm = Rotate(scene.bodies[1].orientation, e.frame_b.position);
  EXPECT_LT(Norm(Vector3{seen[0], seen[1], seen[2]} - w.force), 1e-11);
  EXPECT_LT(Norm(Vector3{seen[3], seen[4], seen[5]} - (w.moment - Cross(arm, w.force))), 1e-11);
  EXPECT_GT(Norm(w.force), 10);
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
