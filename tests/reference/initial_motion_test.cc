#include "reference/system/initial_motion.h"

#include <gtest/gtest.h>

#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/system/constraints.h"

namespace mbsbench::extended {
namespace {

constexpr double kExact = 1e-32;

void ExpectExactly(const Vec3& a, const Vec3& b, const char* what) {
  EXPECT_LT(static_cast<double>(Norm(a - b)), kExact)
      << what << ": " << static_cast<double>(a.x) << ' ' << static_cast<double>(a.y) << ' '
      << static_cast<double>(a.z);
}

System OneBody(JointType type) {
  System s;
  s.bodies.push_back({"b", 1, Diagonal(1, 1, 1), false, {}});
  Joint joint;
  joint.name = "j";
  joint.type = type;
  joint.parent_frame.position = {1, 2, 3};
  joint.parent_frame.orientation = {1, 1, 0, 0};  // z of the joint is -y of the ground
  joint.parent_frame.orientation = Normalised(joint.parent_frame.orientation);
  joint.child_frame.position = {-1, 0, 0};  // mass centre 1 m along the body's x
  s.joints.push_back(joint);
  return s;
}

TEST(InitialMotion, ARevoluteTurnsAboutTheParentsZ) {
  const SystemData s(OneBody(JointType::kRevolute));
  const Motion m = MotionOf(s, {{Pi() / 2}, {3}});
  // At a right angle the body's x points along the joint's y, which is the ground's z; the rate
  // turns about -y.
  ExpectExactly(m[0].position, {1, 2, 4}, "position");
  ExpectExactly(m[0].angular_velocity, {0, -3, 0}, "angular velocity");
  ExpectExactly(m[0].velocity, Cross({0, -3, 0}, {0, 0, 1}), "velocity");
}

TEST(InitialMotion, APrismaticJointSlidesAlongTheParentsZ) {
  const SystemData s(OneBody(JointType::kPrismatic));
  const Motion m = MotionOf(s, {{5}, {7}});
  ExpectExactly(m[0].position, {2, 2 - 5, 3}, "position");
  ExpectExactly(m[0].velocity, {0, -7, 0}, "velocity");
  ExpectExactly(m[0].angular_velocity, {}, "angular velocity");
}

TEST(InitialMotion, RatesOfABallAreInTheChildsAxes) {
  const SystemData s(OneBody(JointType::kBall));
  const Motion m =
      MotionOf(s, {{1, 0, 0, 1}, {0, 2, 0}});  // not of unit length: a quarter turn about z
  // The body's x is along the ground's z, its y along the joint's -x, the ground's -x.
  ExpectExactly(m[0].position, {1, 2, 4}, "position");
  ExpectExactly(m[0].angular_velocity, {-2, 0, 0}, "angular velocity");
  ExpectExactly(m[0].velocity, Cross({-2, 0, 0}, {0, 0, 1}), "velocity");
}

TEST(InitialMotion, AFreeJointMovesInParentAxesAndTurnsInChildAxes) {
  const SystemData s(OneBody(JointType::kFree));
  const Motion m = MotionOf(s, {{1, 0, 0, 1, 0, 0, 0}, {0, 0, 1, 0, 0, 2}});
  ExpectExactly(m[0].position, {3, 2, 3}, "position");
  ExpectExactly(m[0].angular_velocity, {0, -2, 0}, "angular velocity");
  ExpectExactly(m[0].velocity, Vec3{0, -1, 0} + Cross({0, -2, 0}, {1, 0, 0}), "velocity");
}

TEST(InitialMotion, AFixedChildMovesWithItsParent) {
  System s = OneBody(JointType::kRevolute);
  s.bodies.push_back({"c", 1, Diagonal(1, 1, 1), false, {}});
  Joint weld;
  weld.name = "weld";
  weld.type = JointType::kFixed;
  weld.parent = 0;
  weld.child = 1;
  weld.child_frame.position = {0, -2, 0};
  s.joints.push_back(weld);
  const Motion m = MotionOf(SystemData(s), {{Pi() / 2}, {3}});
  ExpectExactly(m[1].position, m[0].position + Vec3{-2, 0, 0}, "position");
  ExpectExactly(m[1].velocity, m[0].velocity + Cross({0, -3, 0}, {-2, 0, 0}), "velocity");
}

TEST(InitialMotion, PendulumsStartExactlyAtTheirStatedAngles) {
  const Problem pendulum = MakeProblem("pendulum");
  ExpectExactly(InitialMotion(SystemData(pendulum.system), pendulum)[0].position, {-1, 0, 0},
                "bob");
  // The catalogue's quarter turns are sqrt(1/2) rounded to double; renormalised they are quarter
  // turns to 113 bits.
  const Problem branch = MakeProblem("branch4");
  const Motion m = InitialMotion(SystemData(branch.system), branch);
  ExpectExactly(m[0].position, {Real(-1) / 2, Real(-1) / 2, 0}, "rod 1");
  ExpectExactly(m[1].position, {Real(1) / 2, Real(-3) / 2, 0}, "rod 3");
  ExpectExactly(m[2].position, {Real(1) / 2, Real(-1) / 2, 0}, "rod 5");
  ExpectExactly(m[3].position, {}, "rod 7");
}

TEST(InitialMotion, SatisfiesAllJoints) {
  for (const char* name : {"pendulum", "dpend18", "branch4", "branchN:bodies=24"}) {
    const Problem p = MakeProblem(name);
    const MaximalCoordinates equations(p.system);
    EXPECT_LT(static_cast<double>(equations.Drift(InitialMotion(equations.system(), p))), 1e-31)
        << name;
  }
}

}  // namespace
}  // namespace mbsbench::extended
