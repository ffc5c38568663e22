// Solutions compared with closed forms, invariants and equations in other coordinates written by hand.
#include "reference/trajectory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"
#include "reference/certificate.h"
#include "reference/closed_forms/plane_pendulum.h"
#include "reference/maximal_coordinates/forces.h"
#include "reference/numerics/dense.h"
#include "reference/numerics/elliptic.h"
#include "reference/reference.h"
#include "reference/system/initial_motion.h"
#include "tests/reference/angular_momentum.h"
#include "tests/reference/held.h"

namespace mbsbench {
namespace {

using namespace extended;

// Absolute-angle Lagrange equations of planar trees of pinned bodies. Body b's mass centre is a sum
// over the bodies i on its path of a fixed arm of i turned by theta_i:  r_b = sum_i R(theta_i)
// c_bi,  so that with s = theta_j - theta_i
//   sum_j M_ij theta_j'' = sum_bj m_b (c_bi x c_bj sin-like) theta_j'^2 + gravity,   M_ij = sum_b
//   m_b c_bi . R(s) c_bj + J_i delta_ij.
// For two point masses this is eq. 14 of Lu et al. 2014.
class AbsoluteAngles {
 public:
  explicit AbsoluteAngles(const Problem& p) : system_(p.system), n_(system_.bodies.size()) {
    const Motion start = InitialMotion(system_, p);
    arms_.assign(n_, std::vector<Vec3>(n_));
    for (int body : system_.tree.order) {
      const auto b = static_cast<std::size_t>(body);
      const JointData& joint = system_.joints[static_cast<std::size_t>(system_.tree.joint[b])];
      if (joint.parent != kGround) {
        const auto parent = static_cast<std::size_t>(joint.parent);
        arms_[b] = arms_[parent];
        arms_[b][parent] = arms_[b][parent] + joint.on_parent.position;
      }
      arms_[b][b] = -joint.on_child.position;
      const Mat3 r = RotationOf(start[b].orientation);
      start_.push_back(Atan2(r(1, 0), r(0, 0)));
    }
    // The loop above goes from the root outwards; angles are returned by body.
    std::vector<Real> by_body(n_);
    for (std::size_t k = 0; k < n_; ++k)
      by_body[static_cast<std::size_t>(system_.tree.order[k])] = start_[k];
    start_ = by_body;
    start_.resize(2 * n_);
  }

  std::vector<Real> start() const { return start_; }

  void Evaluate(const std::vector<Real>& y, std::vector<Real>& ydot) const {
    Matrix mass(n_, n_);
    std::vector<Real> right(n_);
    const Vec3 z{0, 0, 1};
    for (std::size_t b = 0; b < n_; ++b) {
      std::vector<Vec3> turned(n_);
      Vec3 centripetal;
      for (std::size_t i = 0; i < n_; ++i) {
        const Vec3& c = arms_[b][i];
        turned[i] = {Cos(y[i]) * c.x - Sin(y[i]) * c.y, Sin(y[i]) * c.x + Cos(y[i]) * c.y, 0};
        centripetal = centripetal - y[n_ + i] * y[n_ + i] * turned[i];
      }
      const Real m = system_.bodies[b].mass;
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < n_; ++j) mass(i, j) += m * Dot(turned[i], turned[j]);
        right[i] += m * Dot(Cross(z, turned[i]), system_.gravity - centripetal);
      }
      mass(b, b) += system_.bodies[b].inertia(2, 2);
    }
    const std::vector<Real> acceleration = PivotedCholesky(mass, 1e-28, 1e-28).Solve(right);
    ydot.assign(2 * n_, Real(0));
    for (std::size_t i = 0; i < n_; ++i) {
      ydot[i] = y[n_ + i];
      ydot[n_ + i] = acceleration[i];
    }
  }

 private:
  SystemData system_;
  std::size_t n_;
  std::vector<std::vector<Vec3>> arms_;
  std::vector<Real> start_;
};

// The second formulation, written by hand in this file, agrees with the stored certificates. The tolerance is that
// of the solution here.
TEST(Trajectories, InAbsoluteAnglesAgreeWithTheCertificates) {
  for (const char* name : {"dpend18", "branch4", "branchN:bodies=6", "chainN:bodies=4"}) {
    const Problem p = MakeProblem(name);
    const std::optional<Reference> reference = FindReference(p);
    ASSERT_TRUE(reference) << name;
    const AbsoluteAngles equations(p);
    Real worst = 0;
    Extrapolate(
        [&](Real, const std::vector<Real>& y, std::vector<Real>& f) { equations.Evaluate(y, f); },
        p.sample_times, equations.start(), std::vector<double>(equations.start().size(), 1),
        {.columns = 10, .tolerance = 1e-23}, [](Real, std::vector<Real>&) {},
        [&](std::size_t k, const std::vector<Real>& y) {
          const Motion held = Join(reference->samples[k]);
          for (std::size_t b = 0; b < held.size(); ++b) {
            worst = Max(worst, AngleBetween(AxisAngle({0, 0, 1}, y[b]), held[b].orientation));
            worst = Max(worst, Abs(held[b].angular_velocity.z - y[held.size() + b]));
          }
        });
    RecordProperty(name, ToText(worst, 3));
    EXPECT_LT(static_cast<double>(worst), 1e-18) << name;
  }
}

TEST(Trajectories, ThePendulumFollowsItsClosedForm) {
  Problem p = MakeProblem("pendulum");
  const auto closed = PlanePendulum::Of(p);
  ASSERT_TRUE(closed);
  const Trajectory t = SolveInMaximalCoordinates(p, {.columns = 12, .tolerance = 1e-26});
  Trajectory exact;
  for (double time : p.sample_times) exact.samples.push_back({closed->At(time)});
  const Distance d = DistanceBetween(p, exact, t);
  EXPECT_LT(d.position, 1e-25);
  EXPECT_LT(d.velocity, 1e-25);
}

// The closed form also holds with inertia, another start, another direction of gravity and a pivot off
// the origin.
TEST(Trajectories, APhysicalPendulumFollowsItsClosedForm) {
  Problem p = MakeProblem("pendulum");
  p.system.bodies[0].inertia = mbsbench::Diagonal(0.2, 0.3, 0.4);
  p.system.bodies[0].mass = 1.7;
  p.system.bodies[0].is_point = false;
  p.system.joints[0].parent_frame.position = {0.3, -0.2, 0.5};
  p.system.joints[0].child_frame.position = {-0.6, 0.3, 0};
  p.system.gravity = {3, -8, 0};
  p.initial.joints.q = {0.9};
  p.end_time = 2;
  p.sample_times = {0, 0.5, 2};
  const auto closed = PlanePendulum::Of(p);
  ASSERT_TRUE(closed);
  Trajectory exact;
  for (double time : p.sample_times) exact.samples.push_back({closed->At(time)});
  const Distance d = DistanceBetween(
      p, exact,
      SolveInMaximalCoordinates(p, {.columns = 11, .tolerance = 1e-25, .first_step = 0.1}));
  EXPECT_LT(d.position, 1e-24);
  EXPECT_LT(d.velocity, 1e-24);
}

TEST(Trajectories, OtherSystemsAreNotTakenForAPendulum) {
  Problem p = MakeProblem("pendulum");
  p.initial.joints.u = {0.1};  // not released from rest
  EXPECT_FALSE(PlanePendulum::Of(p));
  p.initial.joints.u = {0};
  p.system.gravity.z = 1;
  EXPECT_FALSE(PlanePendulum::Of(p));
  EXPECT_FALSE(PlanePendulum::Of(MakeProblem("dpend18")));
}

// Free rigid body about its intermediate axis (problems.md, dzhanibekov): Euler's equations in
// closed form, angular momentum.
TEST(Trajectories, TheFreeBodyFollowsJacobisSolution) {
  const Problem p = MakeProblem("dzhanibekov");
  const std::optional<Reference> reference = FindReference(p);
  ASSERT_TRUE(reference);
  const Real w1 = 0.01, w2 = 5;
  const Real twice_t = 3 * w1 * w1 + 2 * w2 * w2, h2 = 9 * w1 * w1 + 4 * w2 * w2;
  const Real lambda = Sqrt((h2 - twice_t) / 6), m = (3 * twice_t - h2) / (h2 - twice_t);
  const Real complement = 1 - m, k = QuarterPeriod(complement);
  EXPECT_NEAR(static_cast<double>(lambda), 2.88676866640424330, 1e-14);
  EXPECT_NEAR(static_cast<double>(m), 0.999988000143998272, 1e-15);
  const Real a = Sqrt((h2 - twice_t) / 6), b = Sqrt((3 * twice_t - h2) / 2), c = b;
  for (const ReferenceSample& sample : reference->samples) {
    const Jacobi j = JacobiOf(lambda * Real(sample.time) - k, m, complement);
    const BodyMotion body = Join(sample)[0];
    const Mat3 r = RotationOf(body.orientation);
    const Vec3 omega = TransposeTimes(r, body.angular_velocity);
    EXPECT_LT(static_cast<double>(Norm(omega - Vec3{a * j.dn, -b * j.sn, c * j.cn})), 1e-18)
        << sample.time;
    const Vec3 momentum = r * Vec3{3 * omega.x, 2 * omega.y, omega.z};
    EXPECT_LT(static_cast<double>(Norm(momentum - Vec3{3 * w1, 2 * w2, 0})), 1e-18);
  }
}

// A wheel on a torsion spring, wound up by 10 rad: q = 10 cos(omega t) through one turn and a half
// to either side, where attitudes determine the angle only up to full turns.
TEST(Trajectories, AWoundUpWheelUnwindsThroughAllItsTurns) {
  Problem p = MakeProblem("pendulum");
  p.system.bodies[0].inertia = mbsbench::Diagonal(1, 1, 1);
  p.system.bodies[0].is_point = false;
  p.system.joints[0].child_frame.position = {};
  p.system.forces.Of<JointSpringDamper>().push_back({"spring", 0, 4, 0, 0});
  p.initial.joints.q = {10};
  p.sample_times = {0, 0.4, 1, 3, 5};
  const Trajectory t =
      SolveInMaximalCoordinates(p, {.columns = 9, .tolerance = 1e-24, .first_step = 0.1});
  for (std::size_t k = 0; k < p.sample_times.size(); ++k) {
    const Real angle = 10 * Cos(2 * Real(p.sample_times[k])),
               rate = -20 * Sin(2 * Real(p.sample_times[k]));
    EXPECT_LT(static_cast<double>(Abs(t.samples[k][0].angular_velocity.z - rate)), 1e-20);
    const Quat turned = AxisAngle({0, 0, 1}, angle - 10) * t.samples[0][0].orientation;
    EXPECT_LT(static_cast<double>(AngleBetween(t.samples[k][0].orientation, turned)), 1e-20);
  }
}

// Energy of the stored motions. The 21 stored digits set the floor. Measured: 1e-19 at most (bricard).
TEST(Trajectories, StoredReferencesConserveEnergy) {
  int whole = 0;
  for (const std::string& name : HeldInstances()) {
    const Problem p = MakeProblem(name);
    if (!p.conservative || StoredBodies(p).size() != p.system.bodies.size()) continue;
    ++whole;
    const std::optional<Reference> reference = FindReference(p);
    ASSERT_TRUE(reference) << name;
    const SystemData system(p.system);
    const std::vector<Real> angles(
        p.system.forces.Of<JointSpringDamper>().size());  // sliders only: displacements
    const Real start = EnergyOf(system, InitialMotion(system, p), angles);
    for (const ReferenceSample& sample : reference->samples) {
      const Real drift = EnergyOf(system, Join(sample), angles) - start;
      ASSERT_LT(static_cast<double>(Abs(drift)) / p.energy_reference, 2e-19)
          << name << " at " << sample.time;
    }
  }
  EXPECT_GE(whole, 19) << "bricard, slidercrank3d and nfourbar among them";
}

// Gravity, pivots and internal springs and dampers conserve the angular momentum about the vertical through
// the pivot. That of flyball is printed; those of the top and of the chains are J w of
// the start: 15.234375 times -4.61538, and N^3 / 3 of the row of rods. Measured: 5e-21 of the value.
TEST(Trajectories, StoredReferencesKeepTheAngularMomentumAboutTheVertical) {
  struct Kept {
    const char* problem;
    Vec3 vertical;
    double value, last_digit;
  };
  const Vec3 y{0, 1, 0}, z{0, 0, 1};
  for (const Kept& kept :
       {Kept{"flyball", z, 53.8689986584, 1e-10}, Kept{"heavytop", z, -15.234375 * 4.61538, 1e-12},
        Kept{"chainN3d:bodies=4", y, 64. / 3, 1e-12},
        Kept{"chainN3d:bodies=10", y, 1000. / 3, 1e-11}}) {
    const Problem p = MakeProblem(kept.problem);
    const std::optional<Reference> reference = FindReference(p);
    ASSERT_TRUE(reference) << kept.problem;
    ASSERT_EQ(reference->bodies.size(), p.system.bodies.size());
    const SystemData system(p.system);
    std::optional<Real> start;
    for (const ReferenceSample& sample : reference->samples) {
      const Real now = Dot(kept.vertical, AngularMomentumOf(system, Join(sample)));
      if (!start) start = now;
      ASSERT_LT(static_cast<double>(Abs(now - *start)), 1e-18 * std::abs(kept.value))
          << kept.problem << " at " << sample.time;
    }
    EXPECT_NEAR(static_cast<double>(*start), kept.value, kept.last_digit) << kept.problem;
  }
}

// A symmetric top conserves the spin about its axis, 150 rad/s about its y, under gravity.
TEST(Trajectories, TheHeavyTopConservesItsSpin) {
  const std::optional<Reference> reference = FindReference(MakeProblem("heavytop"));
  ASSERT_TRUE(reference);
  for (const ReferenceSample& sample : reference->samples) {
    const BodyMotion top = Join(sample)[0];
    const Vec3 omega = TransposeTimes(RotationOf(top.orientation), top.angular_velocity);
    EXPECT_LT(static_cast<double>(Abs(omega.y - 150)), 1e-17) << sample.time;
  }
}

// The swing's driver does work, but E - w H about its axis is Jacobi's integral. Its parts: of the arm
// 1/2 (0.1 + 0.25) w^2 (1 - 2), of the mass at rest on the arm 1/2 (2 w)^2 - 4 w^2, of the torsion spring
// 150 theta_0^2. Measured: 4e-18 of these 700 J.
TEST(Trajectories, TheSwingConservesItsJacobiIntegral) {
  const Problem p = MakeProblem("swing");
  const std::optional<Reference> reference = FindReference(p);
  ASSERT_TRUE(reference);
  ASSERT_EQ(reference->bodies.size(), p.system.bodies.size());
  const SystemData system(p.system);
  const std::vector<Real> angles(
      p.system.forces.Of<JointSpringDamper>().size());  // within half a turn
  const Real w = 20;
  const double expected = -70 - 800 + 150 * 1.0472 * 1.0472;
  std::optional<Real> start;
  for (const ReferenceSample& sample : reference->samples) {
    const Motion motion = Join(sample);
    const Real now = EnergyOf(system, motion, angles) - w * AngularMomentumOf(system, motion).z;
    if (!start) start = now;
    ASSERT_LT(static_cast<double>(Abs(now - *start)), 1e-16) << sample.time;
  }
  EXPECT_NEAR(static_cast<double>(*start), expected, 1e-11);
}

// Energy of a spatial tree with springs and no dampers, which tests terms that planar problems lack.
TEST(Trajectories, ARandomTreeWithSpringsConservesEnergy) {
  const RandomTree tree = MakeRandomTree(3, {.bodies = 6});
  Problem p;
  p.system = tree.system;
  p.initial.joints = tree.state.joints;
  p.sample_times = {0, 0.05, 0.1};
  for (GroundSpring& e : p.system.forces.Of<GroundSpring>()) e.damping = 0;
  p.system.forces.Of<AppliedForce>().clear();
  for (SpringDamper& e : p.system.forces.Of<SpringDamper>()) e.damping = 0;
  for (JointSpringDamper& e : p.system.forces.Of<JointSpringDamper>()) e.damping = 0;
  const SystemData system(p.system);
  std::vector<Real> angles(p.system.forces.Of<JointSpringDamper>().size());
  for (const auto& solve : {SolveInMaximalCoordinates, SolveInJointCoordinates}) {
    const Trajectory t = solve(p, {.columns = 9, .tolerance = 1e-24}, {});
    const Real start = EnergyOf(system, t.samples.front(), angles);
    EXPECT_LT(
        static_cast<double>(Abs((EnergyOf(system, t.samples.back(), angles) - start) / start)),
        1e-22);
  }
}

}  // namespace
}  // namespace mbsbench
