// Redundant loops: closed form of the parallelograms, independent rows kept through a step,
// published multipliers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "reference/certificate.h"
#include "reference/closed_forms/parallelogram.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/reference.h"
#include "reference/system/initial_motion.h"
#include "reference/trajectory.h"

namespace mbsbench {
namespace {

using namespace extended;

double Size(Real x) { return static_cast<double>(Abs(x)); }

// ((N+1)/3 + N) theta'' = g ((N+1)/2 + N) sin theta (problems.md, B2), integrated by itself.
TEST(Parallelograms, TheClosedFormSolvesThePrintedEquation) {
  for (int n : {1, 2, 10}) {
    const Problem p = MakeProblem("nfourbar:windows=" + std::to_string(n));
    const auto linkage = Parallelogram::Of(p);
    ASSERT_TRUE(linkage);
    const Real j = p.system.bodies[0].inertia(2, 2);  // 1/12 as a double
    const Real inertia = (n + 1) * (j + Real(1) / 4) + n, g = 9.81;
    const Real factor = g * (Real(n + 1) / 2 + n) / inertia;
    std::vector<Real> last;
    Extrapolate(
        [&](Real, const std::vector<Real>& y, std::vector<Real>& ydot) {
          ydot = {y[1], factor * Sin(y[0])};
        },
        {0, 0.3, 1, 2.5}, {0, 1}, {1, 1}, {.columns = 12, .tolerance = 1e-28, .first_step = 0.01},
        [](Real, std::vector<Real>&) {},
        [&](std::size_t, const std::vector<Real>& y) { last = y; });
    const Motion m = linkage->At(2.5);
    EXPECT_GT(static_cast<double>(last[0]), 6) << "one turn at least";
    EXPECT_LT(Size(m[0].angular_velocity.z + last[1]), 1e-25) << n;
    EXPECT_LT(Size(2 * m[0].position.x - Sin(last[0])), 1e-25) << n;
    EXPECT_LT(Size(2 * m[0].position.y - Cos(last[0])), 1e-25) << n;
    // The couplers keep their attitude and ride on the tops.
    const BodyMotion& coupler = m[static_cast<std::size_t>(n + 1)];
    EXPECT_LT(Size(coupler.position.x - Sin(last[0]) - Real(1) / 2), 1e-25);
    EXPECT_LT(Size(coupler.velocity.x - Cos(last[0]) * last[1]), 1e-24);
    EXPECT_LT(Size(coupler.angular_velocity.z), 1e-30);
    const MaximalCoordinates equations(p.system);
    EXPECT_LT(Size(equations.Drift(m)), 1e-29);
  }
}

// Before the first singular position, in maximal coordinates with all joints in space.
TEST(Parallelograms, MaximalCoordinatesFollowTheClosedFormToTheSingularPosition) {
  Problem p = MakeProblem("nfourbar:windows=2");
  p.sample_times = {0, 0.3, 0.6};  // horizontal at about 0.7 s
  const Trajectory t = SolveInMaximalCoordinates(p, {.columns = 9, .tolerance = 1e-22});
  const auto linkage = Parallelogram::Of(p);
  ASSERT_TRUE(linkage);
  Trajectory exact;
  for (double time : p.sample_times) exact.samples.push_back(linkage->At(time));
  const extended::Distance d = DistanceBetween(p, t, exact);
  EXPECT_LT(d.position, 1e-20);
  EXPECT_LT(d.velocity, 1e-20);
  EXPECT_GT(static_cast<double>(exact.samples[2][0].position.x), 0.4) << "it turns towards +x";
}

TEST(Parallelograms, OtherMechanismsAreNotRecognisedAsOne) {
  const Problem good = MakeProblem("nfourbar:windows=2");
  const auto refused = [&](auto&& change) {
    Problem p = good;
    change(p);
    EXPECT_FALSE(Parallelogram::Of(p));
  };
  refused([](Problem& p) { p.initial.joints.u.assign(5, 0.0); });  // rests upright
  refused([](Problem& p) { p.system.gravity = {1, -9.81, 0}; });
  refused([](Problem& p) {
    p.system.forces.Of<SpringDamper>().push_back({"s", kGround, 0, {1, 1, 0}, {}, 1, 0, 0});
  });
  refused([](Problem& p) { p.initial.joints.q[0] = 0.1; });
  EXPECT_FALSE(Parallelogram::Of(MakeProblem("andrews")));
  EXPECT_FALSE(Parallelogram::Of(MakeProblem("bricard")));
  EXPECT_FALSE(Parallelogram::Of(MakeProblem("chainN")));
}

// Printed to 30 digits (IVP test set); q(0) and the data are rounded to doubles here.
TEST(RedundantLoops, AndrewsStartsWithThePublishedAccelerationsAndMultipliers) {
  const Problem p = MakeProblem("andrews");
  const ReferenceDynamics d = ReferenceAccelerations(p.system, p.initial.joints);
  const double beta = 14222.4439199541138705911625887, theta = -10666.8329399655854029433719415;
  EXPECT_NEAR(d.accelerations[0].angular_acceleration.z, beta, 1e-9);
  EXPECT_NEAR(d.accelerations[1].angular_acceleration.z, beta + theta, 1e-9);
  for (std::size_t b : {2u, 3u, 4u, 5u, 6u})
    EXPECT_NEAR(d.accelerations[b].angular_acceleration.z, 0, 1e-9);
  // The multipliers of the first loop are the force in E on K3.
  const ReferenceReaction& e3 = d.reactions[7];
  EXPECT_NEAR(e3.force.x, 98.5668703962410896057654982170, 1e-10);
  EXPECT_NEAR(e3.force.y, -6.12268834425566265503114393122, 1e-10);
}

// Off the motion all thirty constraints are independent and leave no degree of freedom. Without a
// selection the mechanism does not accelerate there; with one it accelerates as on the motion.
TEST(RedundantLoops, BricardsAccelerationsAreContinuousOffItsMotionOnceRowsAreSelected) {
  const Problem p = MakeProblem("bricard");
  MaximalCoordinates equations(p.system);
  const Motion closed = InitialMotion(equations.system(), p);
  const Dynamics on_motion = equations.Accelerate(closed);
  ASSERT_GT(Size(on_motion.accelerations[0][2]), 0.9);
  Motion open = closed;
  open[2].position.y += Real(1e-8);
  open[3].orientation.x += Real(2e-8);
  const auto difference = [&](const Dynamics& d) {
    Real worst = 0;
    for (std::size_t b = 0; b < 5; ++b) {
      for (std::size_t i = 0; i < 6; ++i)
        worst = Max(worst, Abs(d.accelerations[b][i] - on_motion.accelerations[b][i]));
    }
    return static_cast<double>(worst);
  };
  EXPECT_GT(difference(equations.Accelerate(open)), 0.1) << "the control must fail";
  equations.SelectLoopRows(closed);
  EXPECT_LT(difference(equations.Accelerate(open)), 1e-6);
  EXPECT_LT(difference(equations.Accelerate(closed)), 1e-30);
}

// A four-bar with parallel axes moves. A tilt of one axis by 1e-9 rad locks it, whatever the masses. For a tilt of
// 1e-12 rad the last places of the data decide.
TEST(RedundantLoops, RowsAreJudgedByGeometryWithinTheDigitsOfTheData) {
  for (const double mass : {1., 1e-12, 1e12}) {
    for (const double tilt : {0., 1e-16, 1e-12, 1e-9}) {
      Problem p = MakeProblem("nfourbar:windows=1");
      p.system.bodies[2].mass *= mass;
      for (double& entry : p.system.bodies[2].inertia.entries) entry *= mass;
      std::fill(p.initial.joints.u.begin(), p.initial.joints.u.end(), 0.0);
      Joint& upper = p.system.joints.back();
      for (Frame* frame : {&upper.parent_frame, &upper.child_frame})
        frame->orientation = frame->orientation * mbsbench::AxisAngle({1, 0, 0}, tilt);
      p.system.gravity = {1, -9.81, 0};
      if (tilt == 1e-12) {
        EXPECT_THROW(ReferenceAccelerations(p.system, p.initial.joints), ModelError) << mass;
        continue;
      }
      const double moves =
          Norm(ReferenceAccelerations(p.system, p.initial.joints).accelerations[0].acceleration);
      if (tilt < 1e-14) {
        EXPECT_GT(moves, 0.1) << mass << ", " << tilt;
      } else {
        EXPECT_LT(moves, 1e-12) << mass << ", " << tilt;
      }
    }
  }
}

// A link at the end of an arm of 1e10 m, held by a ball joint and also welded, turns with the body that it is welded to.
TEST(RedundantLoops, AWeldAtTheEndOfAVeryLongArmIsSolved) {
  Problem p = MakeProblem("pendulum");
  Body link = p.system.bodies[0];
  link.name = "link";
  link.inertia = mbsbench::Diagonal(0.004, 0.003, 0.005);
  p.system.bodies.push_back(link);
  Joint ball;
  ball.name = "ball";
  ball.type = JointType::kBall;
  ball.parent = 0;
  ball.child = 1;
  ball.child_frame.position = {-7e9, 2e9, 1e9};
  Joint weld = ball;
  weld.name = "weld";
  weld.type = JointType::kFixed;
  p.system.joints.push_back(ball);
  p.system.loop_joints.push_back(weld);
  p.initial.joints.q.insert(p.initial.joints.q.end(), {1, 0, 0, 0});
  p.initial.joints.u.insert(p.initial.joints.u.end(), {0, 0, p.initial.joints.u[0]});
  const ReferenceDynamics d = ReferenceAccelerations(p.system, p.initial.joints);
  const Vector3 body = d.accelerations[0].angular_acceleration,
                welded = d.accelerations[1].angular_acceleration;
  EXPECT_GT(Norm(body), 0);
  EXPECT_LT(Norm(welded - body), 1e-12 * Norm(body));
}

TEST(RedundantLoops, OnlyReactionsAffectedByRedundancyAreMarked) {
  // A four-bar hangs on an arm: the reaction of the arm's joint is unique, those of the four-bar are not.
  Problem p = MakeProblem("nfourbar:windows=1");
  Body arm;
  arm.name = "arm";
  arm.mass = 1;
  arm.inertia = mbsbench::Diagonal(0.1, 0.1, 0.1);
  p.system.bodies.push_back(arm);
  const int index = static_cast<int>(p.system.bodies.size()) - 1;
  for (Joint& joint : p.system.joints) {
    if (joint.parent == kGround) joint.parent = index;
  }
  Joint shoulder;
  shoulder.name = "shoulder";
  shoulder.type = JointType::kBall;
  shoulder.child = index;
  p.system.joints.push_back(shoulder);
  // Tilted, so that nothing vanishes exactly: rows that the tree makes dependent leave round-off.
  const Quaternion tilt = mbsbench::AxisAngle({0.6, 0, 0.8}, 0.7);
  p.initial.joints.q.insert(p.initial.joints.q.end(), {tilt.w, tilt.x, tilt.y, tilt.z});
  p.initial.joints.u.insert(p.initial.joints.u.end(), {0.3, -0.2, 1});
  const ReferenceDynamics d = ReferenceAccelerations(p.system, p.initial.joints);
  ASSERT_EQ(d.reactions.size(), 5u);
  // The loop stays closed: both ends of its joint accelerate alike.
  const Joint& closing = p.system.loop_joints[0];
  const auto acceleration = [&](int body, const Vector3& point) {
    const BodyState& b = d.bodies[static_cast<std::size_t>(body)];
    const ReferenceAcceleration& a = d.accelerations[static_cast<std::size_t>(body)];
    const Vector3 arm_of_point = Rotate(b.orientation, point);
    return a.acceleration + Cross(a.angular_acceleration, arm_of_point) +
           Cross(b.angular_velocity, Cross(b.angular_velocity, arm_of_point));
  };
  EXPECT_LT(Norm(acceleration(closing.parent, closing.parent_frame.position) -
                 acceleration(closing.child, closing.child_frame.position)),
            1e-13);
  EXPECT_FALSE(d.reactions[0].unique.all());
  EXPECT_FALSE(d.reactions[1].unique.all());
  EXPECT_FALSE(d.reactions[2].unique.all());
  EXPECT_TRUE(d.reactions[3].unique.all()) << "the shoulder";
  EXPECT_FALSE(d.reactions[4].unique.all());
}

// Loops without redundant rows: one factorisation in double precision with refinement, compared with 113 bits throughout, as for selected
// rows.
TEST(Loops, SparseEquationsAgreeWithThoseIn113Bits) {
  for (const char* name : {"ladder:bodies=50,loops=10", "ladder:bodies=90,loops=30"}) {
    const Problem problem = MakeProblem(name);
    MaximalCoordinates sparse(problem.system), full(problem.system);
    const Motion motion = InitialMotion(sparse.system(), problem);
    const std::vector<Mat3> rotations = RotationsOf(motion);
    std::vector<JointRows> rows;
    for (const JointData& joint : sparse.system().loop_joints)
      rows.push_back(RowsOf(joint, motion, rotations));
    const IndependentRows independent =
        SelectIndependentRows(sparse.system(), motion, rotations, rows);
    EXPECT_EQ(independent.rows.size(), 3 * rows.size());
    EXPECT_TRUE(ArePlainlyIndependent(sparse.system(), motion, 1e4)) << name;
    // The bound is one.
    EXPECT_FALSE(ArePlainlyIndependent(sparse.system(), motion, 1.01 * independent.least_kept));
    full.SelectLoopRows(motion);
    const Dynamics a = sparse.Accelerate(motion), b = full.Accelerate(motion);
    for (std::size_t k = 0; k < a.accelerations.size(); ++k) {
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_LT(static_cast<double>(Abs(a.accelerations[k][i] - b.accelerations[k][i])), 1e-24);
    }
  }
}

TEST(Loops, RedundantRowsAreNotClassifiedAsPlainlyIndependent) {
  for (const char* name : {"nfourbar:windows=2", "bricard"}) {
    const Problem problem = MakeProblem(name);
    const MaximalCoordinates equations(problem.system);
    const Motion motion = InitialMotion(equations.system(), problem);
    EXPECT_FALSE(ArePlainlyIndependent(equations.system(), motion, 0)) << name;
  }
}

}  // namespace
}  // namespace mbsbench
