// Published properties of the tree and loop problems other than tables of positions.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "reference/certificate.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/reference.h"
#include "reference/system/initial_motion.h"
#include "tests/reference/angular_momentum.h"

namespace mbsbench {
namespace {

using namespace extended;

// Gravity is vertical and the ceiling joint a ball: no moment about the vertical through it. The
// horizontal components do change.
TEST(LoopProblems, AngularMomentumAboutTheVerticalIsConservedToTheStoredDigits) {
  for (const char* name : {"tree12", "mixed12"}) {
    const Problem p = MakeProblem(name);
    const std::optional<Reference> reference = FindReference(p);
    ASSERT_TRUE(reference) << name;
    const SystemData system(p.system);
    const Vec3 start = AngularMomentumOf(system, InitialMotion(system, p));
    EXPECT_NEAR(static_cast<double>(start.y), 6.2925, 5e-5) << name;
    double others = 0;
    for (const ReferenceSample& sample : reference->samples) {
      const Vec3 change = AngularMomentumOf(system, Join(sample)) - start;
      EXPECT_LT(std::abs(static_cast<double>(change.y)), 1e-18) << name << ' ' << sample.time;
      others = std::max(others, std::abs(static_cast<double>(change.x)));
    }
    EXPECT_GT(others, 0.1) << name << ": nothing turns, so nothing is tested";
  }
}

// The certificate stores twenty of the 250 bodies; the rate of the moment at the start needs all.
TEST(LoopProblems, Mixed250StartsWithoutMomentAboutTheVertical) {
  const Problem p = MakeProblem("mixed250");
  MaximalCoordinates equations(p.system);
  const SystemData& system = equations.system();
  const Motion m = InitialMotion(system, p);
  const Dynamics d = equations.Accelerate(m);
  Vec3 rate;
  Real largest = 0;
  for (std::size_t b = 0; b < m.size(); ++b) {
    const Mat3 r = RotationOf(m[b].orientation);
    const auto inertia = [&](const Vec3& w) {
      return r * (system.bodies[b].inertia * TransposeTimes(r, w));
    };
    const Vec6& a = d.accelerations[b];
    const Vec3& omega = m[b].angular_velocity;
    const Vec3 of_body = system.bodies[b].mass * Cross(m[b].position, {a[0], a[1], a[2]}) +
                         inertia({a[3], a[4], a[5]}) + Cross(omega, inertia(omega));
    rate = rate + of_body;
    largest = Max(largest, Abs(of_body.y));
  }
  EXPECT_LT(static_cast<double>(Abs(rate.y)), 1e-28);
  EXPECT_GT(static_cast<double>(largest), 1e-3);  // moments on single bodies do not vanish
}

// mixed250 has mixed12 at its bottom, which initially moves almost like mixed12: the weight of the trunk
// holds the ceiling point of mixed12 nearly fixed.
TEST(LoopProblems, TheBottomOfMixed250InitiallyMovesLikeMixed12) {
  const std::optional<Reference> small = FindReference(MakeProblem("mixed12")),
                                 large = FindReference(MakeProblem("mixed250"));
  ASSERT_TRUE(small && large);
  const auto at = [](const Reference& r, double time) -> const ReferenceSample& {
    for (const ReferenceSample& s : r.samples) {
      if (std::abs(s.time - time) < 1e-12) return s;
    }
    ADD_FAILURE() << "no sample at " << time;
    return r.samples[0];
  };
  for (std::size_t b = 0; b < 12; ++b) {
    const double apart =
        Norm(at(*small, 0.1).bodies[b].position - at(*large, 0.1).bodies[b].position);
    EXPECT_LT(apart, 0.01) << b;
  }
}

ReferenceDynamics DynamicsAt(const Problem& problem, const ReferenceSample& sample) {
  return ReferenceAccelerations(problem.system, JointStateOf(problem.system, sample.bodies));
}

// Printed accelerations of the chassis over the free response, and of the wheel at the start.
TEST(LoopProblems, TheQuarterCarHasThePrintedAccelerations) {
  const Problem p = MakeProblem("wishbone");
  const std::optional<Reference> reference = FindReference(p);
  ASSERT_TRUE(reference);
  struct Row {
    double time, acceleration, last_digit;
  };
  int found = 0;
  for (const Row& row :
       {Row{0, -2.61355792, 1e-8}, Row{0.05, -0.8717748, 1e-7}, Row{0.1, -0.0612043, 1e-7},
        Row{0.2, 0.4196680, 1e-7}, Row{0.5, 0.2709494, 1e-7}, Row{1, 0.0272081, 1e-7},
        Row{2, 4.52e-5, 1e-7}}) {
    for (const ReferenceSample& sample : reference->samples) {
      if (std::abs(sample.time - row.time) > 1e-12) continue;
      const ReferenceDynamics d = DynamicsAt(p, sample);
      const double units = (d.accelerations[0].acceleration.z - row.acceleration) / row.last_digit;
      std::printf("  t = %-4g chassis %.10f m/s^2, %.2f of the last digit from the print\n",
                  row.time, d.accelerations[0].acceleration.z, units);
      EXPECT_LT(std::abs(units), 0.6) << row.time;
      if (row.time == 0) {
        EXPECT_NEAR(d.accelerations[4].acceleration.z, -79.685131, 6e-7);
      }
      ++found;
    }
  }
  EXPECT_EQ(found, 7);
}

// At rest the tyre carries all weight. No moment acts on the freely spinning wheel.
TEST(LoopProblems, TheQuarterCarComesToRestOnItsTyre) {
  const Problem p = MakeProblem("wishbone");
  const std::optional<Reference> reference = FindReference(p);
  ASSERT_TRUE(reference);
  const BodyState& wheel = reference->samples.back().bodies[4];
  EXPECT_NEAR(wheel.position.z, -0.24 - (300 + 1 + 1 + 8 + 22) * 9.81 / 3e5, 1e-6);
  EXPECT_LT(Norm(wheel.velocity), 1e-4);
}

// A road 0.05 m higher adds 15 kN at the start. A stiffer tyre adds nothing, because it is not yet
// compressed; at rest its compression is correspondingly smaller.
TEST(LoopProblems, TheInstancesOfTheQuarterCarDifferByTheirTyres) {
  const auto state = [](const char* name, std::size_t k) {
    const Problem p = MakeProblem(name);
    const std::optional<Reference> reference = FindReference(p);
    if (!reference) throw std::runtime_error(std::string("no reference of ") + name);
    return std::pair{p, reference->samples[k == 0 ? 0 : reference->samples.size() - 1]};
  };
  const auto wheel_pull = [&](const char* name) {
    const auto [p, sample] = state(name, 0);
    return DynamicsAt(p, sample).accelerations[4].acceleration.z;
  };
  const double free = wheel_pull("wishbone");
  EXPECT_NEAR(wheel_pull("wishbone:tyre=10"), free, 1e-12);
  EXPECT_NEAR(wheel_pull("wishbone:tyre=100"), free, 1e-12);
  EXPECT_GT(wheel_pull("wishbone:road_step=0.05"), free + 15000. / (8 + 22 + 2));
  const double weight = (300 + 1 + 1 + 8 + 22) * 9.81;
  EXPECT_NEAR(state("wishbone:tyre=10", 1).second.bodies[4].position.z, -0.24 - weight / 3e6, 5e-5);
  EXPECT_NEAR(state("wishbone:tyre=100", 1).second.bodies[4].position.z, -0.24 - weight / 3e7,
              5e-6);
  EXPECT_NEAR(state("wishbone:road_step=0.05", 1).second.bodies[4].position.z, -0.19 - weight / 3e5,
              5e-4);
}

}  // namespace
}  // namespace mbsbench
