#include <gtest/gtest.h>

#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/test_systems/random_trees.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/reference.h"
#include "reference/system/initial_motion.h"
#include "reference/trajectory.h"
#include "tests/support/processor_time.h"

namespace mbsbench {
namespace {

using extended::DistanceBetween;
using extended::Dynamics;
using extended::MaximalCoordinates;
using extended::Motion;
using extended::Real;
using extended::SolveInJointCoordinates;
using extended::SolveInMaximalCoordinates;

Problem RandomProblem(std::uint64_t seed, int bodies, bool force_elements) {
  const RandomTree tree = MakeRandomTree(
      seed, {.bodies = bodies, .types = AllTreeJointTypes(), .force_elements = force_elements});
  Problem p;
  p.system = tree.system;
  if (!force_elements) p.system.forces.Of<JointSpringDamper>().clear();
  p.initial.joints = tree.state.joints;
  p.sample_times = {0, 0.05, 0.1};
  return p;
}

Vector3 Gravity(const System& s, std::size_t b) { return s.bodies[b].mass * s.gravity; }

// At t = 0 the hanging rods are pulled along their length, so that the crossbar carries them as
// point masses at its ends, one on the left, two on the right: theta_7'' = -(g/2) / (J + 3/4),
// which is -3g/5 [exact; problems.md, branch4] except for the rounding of J = 1/12 to double. All other
// angular accelerations are zero.
TEST(Dynamics, Branch4StartsWithThreeFifthsOfG) {
  const Problem p = MakeProblem("branch4");
  MaximalCoordinates equations(p.system);
  const Dynamics d = equations.Accelerate(InitialMotion(equations.system(), p));
  const Real g = 9.81, inertia = p.system.bodies[3].inertia(2, 2);
  EXPECT_LT(
      static_cast<double>(extended::Abs(d.accelerations[3][5] + g / 2 / (inertia + Real(0.75)))),
      1e-32);
  EXPECT_LT(static_cast<double>(extended::Abs(d.accelerations[3][5] + 3 * g / 5)), 1e-16);
  for (std::size_t b = 0; b < 3; ++b) {
    EXPECT_LT(static_cast<double>(extended::Abs(d.accelerations[b][5])), 1e-32);
  }
}

// With drivers: a driven joint does not accelerate relative to its parent under any forces.
TEST(Dynamics, AgreeWithKanesEquationsOnDrivenTrees) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Problem p = RandomProblem(seed, 7, seed % 2 == 0);
    const JointOffsets at = OffsetsOf(p.system);
    for (std::size_t j = 0; j < p.system.joints.size(); ++j) {
      const JointType type = p.system.joints[j].type;
      if (type != JointType::kRevolute && type != JointType::kPrismatic) continue;
      const double rate = p.initial.joints.u[static_cast<std::size_t>(at.u[j])];
      p.system.drivers.push_back({"driver " + std::to_string(j), static_cast<int>(j), rate});
    }
    const auto maximal = SolveInMaximalCoordinates(p, {.columns = 8, .tolerance = 1e-22});
    const auto kane = SolveInJointCoordinates(p, {.columns = 9, .tolerance = 1e-22});
    const extended::Distance d = DistanceBetween(p, maximal, kane);
    EXPECT_LT(d.position, 1e-21) << "seed " << seed;
    EXPECT_LT(d.velocity, 1e-21) << "seed " << seed;
  }
}

// Two formulations that share neither coordinates nor equations: a wrong sign in any constraint
// row, gyroscopic or velocity-product term of either separates them at the first digits. Measured:
// 1e-24 and below.
TEST(Dynamics, AgreeWithKanesEquationsOnRandomTreesOfAllJoints) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Problem p = RandomProblem(seed, 7, seed % 2 == 0);
    const auto maximal = SolveInMaximalCoordinates(p, {.columns = 8, .tolerance = 1e-22});
    const auto kane = SolveInJointCoordinates(p, {.columns = 9, .tolerance = 1e-22});
    const extended::Distance d = DistanceBetween(p, maximal, kane);
    EXPECT_LT(d.position, 1e-21) << "seed " << seed;
    EXPECT_LT(d.velocity, 1e-21) << "seed " << seed;
    EXPECT_GT(
        DistanceBetween(p, {{maximal.samples[0]}, {}, 0}, {{maximal.samples[2]}, {}, 0}).position,
        1e-3)
        << "nothing moved: the comparison sees nothing";
  }
}

// Newton-Euler of every body with the reactions of its joints, which do no work along the free
// directions of the joint.
TEST(Dynamics, ReactionsBalanceEveryBody) {
  for (unsigned seed = 10; seed < 14; ++seed) {
    const Problem p = RandomProblem(seed, 12, false);
    const System& s = p.system;
    const ReferenceDynamics d = ReferenceAccelerations(s, p.initial.joints);
    std::vector<Vector3> force(s.bodies.size()), moment(s.bodies.size());
    for (std::size_t j = 0; j < s.joints.size(); ++j) {
      const Joint& joint = s.joints[j];
      const ReferenceReaction& r = d.reactions[j];
      EXPECT_TRUE(r.unique.all());
      const auto child = static_cast<std::size_t>(joint.child);
      const Vector3 arm = Rotate(d.bodies[child].orientation, joint.child_frame.position);
      const Vector3 point = d.bodies[child].position + arm;
      force[child] = force[child] + r.force;
      moment[child] = moment[child] + r.torque + Cross(arm, r.force);
      Vector3 z = Rotate(joint.parent_frame.orientation, {0, 0, 1});
      if (joint.parent != kGround) {
        const auto parent = static_cast<std::size_t>(joint.parent);
        force[parent] = force[parent] - r.force;
        moment[parent] =
            moment[parent] - r.torque - Cross(point - d.bodies[parent].position, r.force);
        z = Rotate(d.bodies[parent].orientation, z);
      }
      switch (joint.type) {
        case JointType::kBall: EXPECT_LT(Norm(r.torque), 1e-13); break;
        case JointType::kRevolute: EXPECT_LT(std::abs(Dot(r.torque, z)), 1e-13); break;
        case JointType::kPrismatic: EXPECT_LT(std::abs(Dot(r.force, z)), 1e-13); break;
        case JointType::kFree: EXPECT_LT(Norm(r.torque) + Norm(r.force), 1e-13); break;
        case JointType::kUniversal: {
          const Vector3 x =
              Rotate(d.bodies[child].orientation * joint.child_frame.orientation, {1, 0, 0});
          EXPECT_LT(std::abs(Dot(r.torque, z)) + std::abs(Dot(r.torque, x)), 1e-13);
          break;
        }
        case JointType::kCylindrical:
          EXPECT_LT(std::abs(Dot(r.force, z)) + std::abs(Dot(r.torque, z)), 1e-13);
          break;
        case JointType::kPlanar:
          EXPECT_LT(Norm(r.force - Dot(r.force, z) * z) + std::abs(Dot(r.torque, z)), 1e-13);
          break;
        case JointType::kFixed:
        case JointType::kDistance: break;
      }
    }
    for (std::size_t b = 0; b < s.bodies.size(); ++b) {
      const BodyState& body = d.bodies[b];
      const auto inertia = [&](const Vector3& w) {
        return Rotate(body.orientation,
                      s.bodies[b].inertia * Rotate(Conjugate(body.orientation), w));
      };
      const Vector3& omega = body.angular_velocity;
      EXPECT_LT(Norm(s.bodies[b].mass * d.accelerations[b].acceleration - force[b] - Gravity(s, b)),
                1e-12);
      EXPECT_LT(Norm(inertia(d.accelerations[b].angular_acceleration) +
                     Cross(omega, inertia(omega)) - moment[b]),
                1e-12);
    }
  }
}

TEST(Dynamics, EachHingeOfAHangingChainCarriesTheWeightBelow) {
  // Rods of the catalogue in one straight chain: every hinge carries what hangs below it.
  const Problem branch = MakeProblem("branchN:bodies=6");
  Problem p;
  for (int b = 0; b < 40; ++b) {
    p.system.bodies.push_back(branch.system.bodies[0]);
    p.system.bodies.back().name = std::to_string(b);
    Joint joint;
    joint.name = "j" + p.system.bodies.back().name;
    joint.parent = b - 1;
    joint.child = b;
    if (b > 0) joint.parent_frame.position = {-0.5, 0, 0};
    joint.child_frame.position = {0.5, 0, 0};
    p.system.joints.push_back(joint);
    const double up = b == 0 ? M_SQRT1_2 : 0;
    p.initial.joints.q.insert(p.initial.joints.q.end(), {b == 0 ? up : 1, 0, 0, up});
    p.initial.joints.u.insert(p.initial.joints.u.end(), {0, 0, 0});
  }
  const ReferenceDynamics d = ReferenceAccelerations(p.system, p.initial.joints);
  for (std::size_t j = 0; j < 40; ++j) {
    EXPECT_NEAR(d.reactions[j].force.y, 9.81 * static_cast<double>(40 - j), 1e-12);
    EXPECT_LT(Norm(d.accelerations[j].acceleration), 1e-15);
  }
}

TEST(Dynamics, AHangingPendulumAtRestHasItsWeightAsReaction) {
  Problem p = MakeProblem("dpend18");
  p.initial.joints.q = {0, 0};
  const ReferenceDynamics d = ReferenceAccelerations(p.system, p.initial.joints);
  EXPECT_DOUBLE_EQ(d.reactions[0].force.y, 2 * 9.81);
  EXPECT_DOUBLE_EQ(d.reactions[1].force.y, 9.81);
  EXPECT_LT(Norm(d.accelerations[1].acceleration), 1e-15);
}

TEST(Dynamics, AClampedBeamHasAForceAndAMomentAtItsClamp) {
  // A beam of 2 kg clamped 3 m from its mass centre: 2 g upwards and 6 g about z at the clamp.
  Problem p;
  p.system.bodies.push_back({"beam", 2, Diagonal(1, 1, 1), false, {}});
  Joint clamp;
  clamp.name = "clamp";
  clamp.type = JointType::kFixed;
  clamp.child_frame.position = {-3, 0, 0};
  p.system.joints.push_back(clamp);
  const ReferenceDynamics d = ReferenceAccelerations(p.system, {});
  EXPECT_DOUBLE_EQ(d.reactions[0].force.y, 2 * 9.81);
  EXPECT_DOUBLE_EQ(d.reactions[0].torque.z, 6 * 9.81);
}

TEST(Dynamics, ASubtreeWithoutInertiaIsRefusedWithTheNameOfItsJoint) {
  Problem p = MakeProblem("dpend18");
  p.system.joints[1].type = JointType::kBall;  // the point mass may now spin about its rod
  p.initial.joints = {{0.3, 1, 0, 0, 0}, {0, 0, 0, 0}};
  try {
    ReferenceAccelerations(p.system, p.initial.joints);
    FAIL() << "nothing was thrown";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("hinge_2"), std::string::npos) << e.what();
  }
}

TEST(Dynamics, MasslessLinksBetweenMassesAreSolved) {
  // A massless rod carries a point mass by a weld: a plain pendulum, g / l = 9.81 from the
  // horizontal.
  Problem p = MakeProblem("pendulum");
  p.system.bodies[0].mass = 0;
  p.system.bodies.push_back({"weight", 3, Diagonal(0, 0, 0), true, {}});
  Joint weld;
  weld.name = "weld";
  weld.type = JointType::kFixed;
  weld.parent = 0;
  weld.child = 1;
  p.system.joints.push_back(weld);
  const ReferenceDynamics d = ReferenceAccelerations(p.system, p.initial.joints);
  EXPECT_DOUBLE_EQ(d.accelerations[1].acceleration.y, -9.81);
  EXPECT_DOUBLE_EQ(d.accelerations[0].angular_acceleration.z, 9.81);
}

// Twenty times the bodies take about 20 times the processor time; the bound is six times that, and n^2 would give 400.
TEST(Dynamics, CostIsLinearInBodies) {
  const auto seconds = [](int bodies) {
    const Problem p = MakeProblem("branchN:bodies=" + std::to_string(bodies));
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
      best = std::min(
          best, ProcessorSeconds([&] { ReferenceAccelerations(p.system, p.initial.joints); }));
    }
    return best;
  };
  EXPECT_LT(seconds(10000) / seconds(500), 120);
}

}  // namespace
}  // namespace mbsbench
