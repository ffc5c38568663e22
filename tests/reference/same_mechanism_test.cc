// A mechanism stated in other units or in rotated axes has the same accelerations, in 113 bits.
#include "problems/model/same_mechanism.h"

#include <gtest/gtest.h>

#include <vector>

#include "reference/reference.h"
#include "tests/problems/io/full_problem.h"

namespace mbsbench {
namespace {

// A tree of all joints and force elements, with a driver that turns and one that slides.
Problem Tree() {
  Problem problem = FullProblem();
  problem.system.loop_joints.clear();
  DriverMotion slide;
  slide.kind = MotionKind::kPolynomial;
  slide.coefficients = {0.25, -0.3, 0.35};
  problem.system.drivers.push_back({"slide", 2, slide});
  return problem;
}

void ExpectNear(const Vector3& a, const Vector3& b, double bound) {
  EXPECT_LT(Norm(a - b), bound * (1 + Norm(b)));
}

// `length` and `time`: units; `turn`: of the inertial axes.
void ExpectSame(const System& system, const JointState& joints, double length, double time,
                const Quaternion& turn) {
  const Problem tree = Tree();
  const auto old = ReferenceAccelerations(tree.system, tree.initial.joints).accelerations;
  const auto now = ReferenceAccelerations(system, joints).accelerations;
  ASSERT_EQ(now.size(), old.size());
  for (std::size_t b = 0; b < old.size(); ++b) {
    SCOPED_TRACE(tree.system.bodies[b].name);
    ExpectNear(time * time / length * now[b].acceleration, Rotate(turn, old[b].acceleration),
               1e-12);
    if (tree.system.bodies[b].is_point) continue;
    ExpectNear(time * time * now[b].angular_acceleration, Rotate(turn, old[b].angular_acceleration),
               1e-12);
  }
}

TEST(SameMechanism, HasTheSameAccelerationsInOtherUnits) {
  const Problem tree = Tree();
  const Units units{1.7, 0.6, 2.3};
  ExpectSame(InUnits(tree.system, units), InUnits(tree.system, tree.initial.joints, units),
             units.length, units.time, {});
}

TEST(SameMechanism, HasTheSameAccelerationsInRotatedAxes) {
  const Problem tree = Tree();
  const Quaternion turn = Normalised(Quaternion{0.8, -0.3, 0.5, 0.2});
  ExpectSame(Turned(tree.system, turn), tree.initial.joints, 1, 1, turn);
  std::vector<Quaternion> of_bodies;
  for (std::size_t b = 0; b < tree.system.bodies.size(); ++b)
    of_bodies.push_back(Normalised(Quaternion{0.4, 0.1 * static_cast<double>(b), -0.7, 0.3}));
  ExpectSame(Turned(tree.system, turn, of_bodies), tree.initial.joints, 1, 1, turn);
}

}  // namespace
}  // namespace mbsbench
