// Cylindrical, planar and universal joints in trees, compared with equations written by hand and with
// the same mechanisms built differently.
#include <gtest/gtest.h>

#include <cmath>

#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"
#include "reference/reference.h"

namespace mbsbench {
namespace {

constexpr JointType kTypes[] = {JointType::kUniversal, JointType::kCylindrical, JointType::kPlanar};

// A body on a joint of the type, on a parent that moves freely; frames and state at random.
RandomTree OnAMovingParent(JointType type, std::uint64_t seed) {
  RandomTree random = MakeRandomTree(seed, {.bodies = 2,
                                            .types = {type},
                                            .force_elements = false,
                                            .chain_likelihood = 1,
                                            .ground_likelihood = 0});
  System& system = random.system;
  if (system.joints[0].child == 1) std::swap(system.joints[0], system.joints[1]);
  system.joints[0].type = JointType::kFree;
  RandomNumbers numbers(seed + 1000);
  JointState& joints = random.state.joints;
  const Vector3 d = numbers.Vector(1);
  const Quaternion turn = numbers.Rotation();
  joints.q = {d.x, d.y, d.z, turn.w, turn.x, turn.y, turn.z};
  joints.u.clear();
  for (int k = 0; k < CoordinateCount(type); ++k) joints.q.push_back(numbers.Between(-1, 1));
  for (int k = 0; k < 6 + RateCount(type); ++k) joints.u.push_back(numbers.Between(-3, 3));
  return random;
}

void ExpectSame(const Vector3& a, const Vector3& b, double tolerance, const char* what) {
  EXPECT_LT(Norm(a - b), tolerance * (1 + Norm(b))) << what;
}

// Two joints of one axis each, or three, with bodies of `mass` (and inertia `mass` m^2) between them:
// revolutes and prismatic joints turned by hand so that their z is the axis wanted.
System WithHeavyLinks(const System& system, double mass) {
  const Quaternion x_to_z = AxisAngle({0, 1, 0}, M_PI / 2),
                   y_to_z = AxisAngle({1, 0, 0}, -M_PI / 2);
  const JointType turn = JointType::kRevolute, slide = JointType::kPrismatic;
  struct Step {
    JointType type;
    Quaternion axes;
  };
  std::vector<Step> steps;
  const Joint& joint = system.joints[1];
  if (joint.type == JointType::kUniversal) steps = {{turn, {}}, {turn, x_to_z}};
  if (joint.type == JointType::kCylindrical) steps = {{slide, {}}, {turn, {}}};
  if (joint.type == JointType::kPlanar) steps = {{slide, x_to_z}, {slide, y_to_z}, {turn, {}}};
  System chain = system;
  chain.joints.resize(1);
  int parent = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const bool last = k + 1 == steps.size();
    Joint step = joint;
    step.name = std::to_string(k);
    step.type = steps[k].type;
    step.parent = parent;
    step.parent_frame = k == 0 ? joint.parent_frame : Frame{};
    step.parent_frame.orientation = step.parent_frame.orientation * steps[k].axes;
    step.child_frame = last ? joint.child_frame : Frame{};
    step.child_frame.orientation = step.child_frame.orientation * steps[k].axes;
    if (!last) {
      step.child = parent = static_cast<int>(chain.bodies.size());
      chain.bodies.push_back(
          {"link " + std::to_string(k), mass, Diagonal(mass, mass, mass), false, {}});
    }
    chain.joints.push_back(step);
  }
  return chain;
}

// As the links of a chain lose their mass, the chain becomes the joint: the difference falls in
// proportion to the mass, and is nonzero before.
TEST(SeveralAxes, AreTheLimitOfChainsWithVanishingLinkMass) {
  for (JointType type : kTypes) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const RandomTree random = OnAMovingParent(type, seed);
      const ReferenceDynamics joint = ReferenceAccelerations(random.system, random.state.joints);
      const auto off = [&](double mass) {
        const ReferenceDynamics chain =
            ReferenceAccelerations(WithHeavyLinks(random.system, mass), random.state.joints);
        double worst = 0;
        for (std::size_t b : {0u, 1u}) {
          worst = std::max(
              {worst,
               Norm(chain.accelerations[b].acceleration - joint.accelerations[b].acceleration),
               Norm(chain.accelerations[b].angular_acceleration -
                    joint.accelerations[b].angular_acceleration)});
        }
        return std::max(worst, Norm(chain.reactions.back().force - joint.reactions[1].force));
      };
      const double more = off(1e-4), less = off(1e-6), none = off(0);
      EXPECT_GT(more, 1e-6) << Name(type) << seed;
      EXPECT_NEAR(more / less, 100, 5) << Name(type) << seed;
      EXPECT_LT(none, 1e-12) << Name(type) << seed;
    }
  }
}

// A body on a universal joint moves like a body on a free joint that a universal loop joint holds.
TEST(SeveralAxes, OfAUniversalJointEqualThoseOfAFreeBodyOnTheLoopJoint) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RandomTree random = OnAMovingParent(JointType::kUniversal, seed);
    const ReferenceDynamics tree = ReferenceAccelerations(random.system, random.state.joints);
    System loop = random.system;
    loop.loop_joints = {loop.joints[1]};
    loop.joints[1].type = JointType::kFree;
    loop.joints[1].name = "free";
    loop.joints[1].parent = kGround;
    const ReferenceDynamics cut = ReferenceAccelerations(loop, JointStateOf(loop, tree.bodies));
    for (std::size_t b : {0u, 1u}) {
      ExpectSame(cut.accelerations[b].acceleration, tree.accelerations[b].acceleration, 1e-12,
                 "acceleration");
      ExpectSame(cut.accelerations[b].angular_acceleration,
                 tree.accelerations[b].angular_acceleration, 1e-12, "angular acceleration");
    }
    ExpectSame(cut.reactions[2].force, tree.reactions[1].force, 1e-11, "force");
    ExpectSame(cut.reactions[2].torque, tree.reactions[1].torque, 1e-11, "torque");
  }
}

// A gimbal: angle a about the vertical z, then b about the body's x. With moments A, B, C about the
// axes of the joint's frame on the body and its centre at -l on the frame's z, Lagrange's equations are
//   A b'' = (B - C) sin b cos b a'^2 - m g l sin b,
//   (B sin^2 b + C cos^2 b) a'' = -2 (B - C) sin b cos b a' b'.
TEST(SeveralAxes, OfAUniversalJointObeyLagrangesEquationsOfAGimbal) {
  const double m = 1.7, l = 0.4, A = 0.5, B = 0.45, C = 0.06, g = 9.81;
  System system;
  system.gravity = {0, 0, -g};
  system.bodies = {{"body", m, Diagonal(A - m * l * l, B - m * l * l, C), false, {}}};
  Joint joint;
  joint.name = "cross";
  joint.type = JointType::kUniversal;
  joint.child_frame.position = {0, 0, l};
  system.joints = {joint};
  RandomNumbers random(5);
  for (int k = 0; k < 20; ++k) {
    const double a = random.Between(-3, 3), b = random.Between(-3, 3);
    const double da = random.Between(-5, 5), db = random.Between(-5, 5);
    const double s = std::sin(b), c = std::cos(b);
    const double a2 = -2 * (B - C) * s * c * da * db / (B * s * s + C * c * c);
    const double b2 = ((B - C) * s * c * da * da - m * g * l * s) / A;
    const Vector3 x{std::cos(a), std::sin(a), 0}, y{-std::sin(a), std::cos(a), 0}, z{0, 0, 1};
    const ReferenceDynamics d = ReferenceAccelerations(system, {{a, b}, {da, db}});
    ExpectSame(d.accelerations[0].angular_acceleration, a2 * z + b2 * x + (da * db) * y, 1e-13,
               "angular acceleration");
  }
}

// A puck on a table that turns at rate w: in the plane, m r'' = m w^2 r - 2 m w x r' - m w' x r. The only
// reaction of the table is the normal force.
TEST(SeveralAxes, OfAPlanarJointShowCoriolisAndCentrifugalAccelerations) {
  const double w = 3, x = 0.4, y = -0.7, dx = 1.2, dy = 0.5, turn = -2;
  System system;
  system.gravity = {0, 0, -9.81};
  system.bodies = {{"table", 5, Diagonal(1, 1, 2), false, {}},
                   {"puck", 1, Diagonal(0.1, 0.1, 0.2), false, {}}};
  Joint pin, slide;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  slide.name = "slide";
  slide.type = JointType::kPlanar;
  slide.parent = 0, slide.child = 1;
  system.joints = {pin, slide};
  system.drivers = {{"motor", 0, w}};
  const ReferenceDynamics d = ReferenceAccelerations(system, {{0, x, y, 0.3}, {w, dx, dy, turn}});
  // No force acts on the puck in the plane: its path in space is straight.
  EXPECT_LT(Norm(d.accelerations[1].acceleration), 1e-14);
  EXPECT_LT(Norm(d.accelerations[1].angular_acceleration), 1e-14);
  EXPECT_NEAR(d.bodies[1].velocity.x, dx - w * y, 1e-14);
  EXPECT_NEAR(d.bodies[1].velocity.y, dy + w * x, 1e-14);
  ExpectSame(d.reactions[1].force, {0, 0, 9.81}, 1e-14, "force");
}

}  // namespace
}  // namespace mbsbench
