// A body without inertia about a direction, on a joint with free rotation: the equations are singular, and
// every method reports it for any axes of the joint's frames.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/model/assembly.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"

namespace mbsbench {
namespace {

Vector3 UnitVector(RandomNumbers& random) { return Rotate(random.Rotation(), {1, 0, 0}); }

// The inertia of a slender rod along `n`.
SymmetricMatrix3 RodInertia(double mass, double length, const Vector3& n) {
  const double J = mass * length * length / 12;
  return {{J * (1 - n.x * n.x), -J * n.x * n.y, -J * n.x * n.z,  //
           J * (1 - n.y * n.y), -J * n.y * n.z, J * (1 - n.z * n.z)}};
}

// A frame at `position` whose axis `k` is at the angle `angle` from `n`, otherwise turned at random.
Frame FrameAtAngleTo(const Vector3& n, int k, double angle, const Vector3& position,
                     RandomNumbers& random) {
  const Vector3 some = UnitVector(random), across = Cross(n, some);
  const Vector3 axis = std::cos(angle) * n + (std::sin(angle) / Norm(across)) * across;
  const Vector3 unit{k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.};
  const Vector3 turn = Cross(unit, axis);
  const Quaternion there =
      AxisAngle((1 / Norm(turn)) * turn, std::atan2(Norm(turn), Dot(unit, axis)));
  return {position, Normalised(AxisAngle(axis, random.Between(-3, 3)) * there)};
}

struct Case {
  System system;
  SystemState state;
};

// A rod on a ball or free joint, `depth` bodies from the ground. The axis `k` of its frame is at the angle from the rod.
Case MakeCase(JointType type, int depth, int k, double angle, std::uint64_t seed) {
  RandomNumbers random(seed);
  Case made;
  System& system = made.system;
  system.gravity = {0, 0, -9.81};
  for (int b = 0; b < depth; ++b) {
    Body body;
    body.name = fmt::format("body {}", b + 1);
    body.mass = random.Between(0.5, 2);
    body.inertia = Diagonal(0.1, 0.12, 0.14);
    Joint joint;
    joint.name = fmt::format("joint {}", b + 1);
    joint.parent = b - 1;
    joint.child = b;
    joint.parent_frame = {random.Vector(0.5), random.Rotation()};
    joint.type = b == 0 ? JointType::kRevolute : JointType::kBall;
    joint.child_frame = {random.Vector(0.5), random.Rotation()};
    if (b == depth - 1) {
      const Vector3 n = UnitVector(random);
      joint.type = type;
      body.inertia = RodInertia(body.mass, 1, n);
      joint.child_frame = FrameAtAngleTo(n, k, angle, random.Between(-0.5, 0.5) * n, random);
    }
    system.bodies.push_back(body);
    system.joints.push_back(joint);
  }
  JointState joints;
  for (const Joint& joint : system.joints) {
    if (joint.type == JointType::kFree) {
      for (double x : {0.1, 0.2, 0.3}) joints.q.push_back(x);
    }
    const Quaternion q = random.Rotation();
    if (joint.type == JointType::kRevolute) joints.q.push_back(random.Between(-3, 3));
    if (joint.type != JointType::kRevolute) {
      for (double x : {q.w, q.x, q.y, q.z}) joints.q.push_back(x);
    }
    for (int rate = 0; rate < RateCount(joint.type); ++rate)
      joints.u.push_back(random.Between(-1, 1));
  }
  made.state = {joints, ForwardKinematics(system, joints)};
  return made;
}

Status StatusOf(const MethodChoice& choice, const Case& of) {
  const std::unique_ptr<Formulation> method = Prepare(choice, GivenSystem(of.system, {.time = 1}));
  std::vector<double> y(method->state_size());
  if (const Status status = method->Initialise(0, of.state, y); !status.ok()) return status;
  Observation observation;
  return method->Observe(0, y, Detail::kAccelerations, observation);
}

TEST(BallWithoutInertia, IsSingularInEveryMethodForAnyOrientationOfItsAxes) {
  const std::vector<MethodEntry> methods = AllMethods();
  std::set<std::string> tried;
  for (const MethodEntry& entry : methods) {
    if (entry.form == Form::kAlgebraic) continue;
    for (const MethodChoice& choice : VariantsOf(entry)) {
      int cases = 0, regular = 0;
      std::string where;
      for (const JointType type : {JointType::kBall, JointType::kFree}) {
        for (const int depth : {1, 2, 4}) {
          for (const double degrees : {0., 20., 45., 70., 80., 85., 88., 89., 89.9, 90.}) {
            for (const int k : {0, 1, 2}) {
              for (std::uint64_t seed = 1; seed <= 10; ++seed) {
                const Case of =
                    MakeCase(type, depth, k, degrees * std::numbers::pi / 180, 100 * seed + 7);
                if (!VerdictOf(entry, of.system, choice.options).supported) continue;
                ++cases;
                const Status status = StatusOf(choice, of);
                Case thick = of;
                for (int i : {0, 1, 2}) thick.system.bodies.back().inertia(i, i) += 1e-4;
                if (seed == 1) {
                  EXPECT_TRUE(StatusOf(choice, thick).ok())
                      << choice.spec << ", with inertia, depth " << depth << ", " << degrees;
                }
                if (status.code == Status::Code::kSingular) continue;
                ++regular;
                where += fmt::format(" depth {} axis {} at {} degrees seed {};", depth, k, degrees,
                                     seed);
              }
            }
          }
        }
      }
      if (cases == 0) continue;
      tried.insert(choice.spec);
      std::printf("  %-32s %d of %d\n", choice.spec.c_str(), cases - regular, cases);
      EXPECT_EQ(0, regular) << choice.spec << where.substr(0, 400);
    }
  }
  for (const char* spec : {"articulated-body", "composite-body:delassus", "kane-huston:general",
                           "riccati-mstmm:general", "cartesian-dae:index1"})
    EXPECT_TRUE(tried.contains(spec)) << spec;
}

}  // namespace
}  // namespace mbsbench
