// Problems with fast and slow motions against what is known of them exactly.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "reference/reference.h"
#include "tests/support/printed_motion.h"

namespace mbsbench {
namespace {

// Per displacement of the masses whose number is `first` modulo 3, by a turn of their link and the opposite one of the next. The
// turn is exact in the state and so small that its square times the square of a thousand masses vanishes.
std::vector<double> TransverseAccelerations(const Problem& hanging, std::size_t first,
                                            double length) {
  constexpr double kTurn = 0x1p-34;
  JointState joints = hanging.initial.joints;
  std::vector<double>& q = joints.q;
  std::ranges::fill(q, 0);
  for (std::size_t k = first; k < q.size(); k += 3) {
    q[k] += kTurn;
    if (k + 1 < q.size()) q[k + 1] -= 2 * kTurn;
    if (k + 2 < q.size()) q[k + 2] += kTurn;
  }
  std::vector<double> slopes;
  for (const auto& of : ReferenceAccelerations(hanging.system, joints).accelerations)
    slopes.push_back(of.acceleration.x / (length * std::sin(kTurn)));
  return slopes;
}

// Ascending [rad/s]. The accelerations of a mass depend on its own place and those of its neighbours.
std::vector<double> FrequenciesOfHangingCable(int masses) {
  const Problem p = MakeProblem("cable1000:bodies=" + std::to_string(masses));
  const auto n = static_cast<Eigen::Index>(masses);
  Eigen::VectorXd diagonal(n), below(n - 1), above(n - 1);
  for (Eigen::Index first = 0; first < std::min<Eigen::Index>(3, n); ++first) {
    const auto slopes = TransverseAccelerations(p, static_cast<std::size_t>(first), 0.1);
    for (Eigen::Index j = first; j < n; j += 3) {
      diagonal[j] = -slopes[static_cast<std::size_t>(j)];
      if (j > 0) above[j - 1] = -slopes[static_cast<std::size_t>(j - 1)];
      if (j + 1 < n) below[j] = -slopes[static_cast<std::size_t>(j + 1)];
    }
  }
  EXPECT_LT((above - below).cwiseAbs().maxCoeff(), 1e-12 * diagonal.maxCoeff());
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, below, Eigen::EigenvaluesOnly);
  std::vector<double> frequencies;
  for (const double square : solver.eigenvalues()) frequencies.push_back(std::sqrt(square));
  return frequencies;
}

// w^2 = (g / l) x with the zeros x of Laguerre's polynomial; printed for links of 1 m.
TEST(StiffProblems, HangingCablesHaveTheFrequenciesOfLaguerresPolynomials) {
  struct Row {
    int masses;
    std::vector<double> lowest;
    double largest;
  };
  for (const Row& row :
       {Row{2, {2.3971993978640862, 5.7873512980360940}, 5.7873512980360940},
        Row{10, {1.1626495370498501, 2.6750605844776867, 4.2118694027797800}, 17.132484866195180},
        Row{100,
            {0.37567020380257330, 0.86234183126480267, 1.3519398437730157},
            60.651415044538752},
        Row{1000,
            {0.11906375016176097, 0.27330105825997844, 0.42844938828495457},
            196.68059625553332}}) {
    const std::vector<double> found = FrequenciesOfHangingCable(row.masses);
    const double shorter = std::sqrt(10);  // links of 0.1 m
    for (std::size_t k = 0; k < row.lowest.size(); ++k)
      EXPECT_NEAR(found[k] / (shorter * row.lowest[k]), 1, 1e-8) << row.masses << " masses, " << k;
    EXPECT_NEAR(found.back() / (shorter * row.largest), 1, 1e-12) << row.masses << " masses";
  }
}

// Measured: 4.7e-12, as this solution holds about ten digits.
TEST(StiffProblems, LightMassesAboveAHeavyOneMoveAsPrinted) {
  ExpectMotionAsPrinted("ratio8:heavy", 1e-11);
}

// Why their motion ends early. Measured: 9e3.
TEST(StiffProblems, SmallChangesOfLightMassesAboveAHeavyOneGrowAThousandfoldInThirtyMilliseconds) {
  constexpr double kChange = 1e-9, kEnd = 0.03;
  const auto end_of = [](double change) {
    Problem p = MakeProblem("ratio8:heavy");
    p.initial.joints.q[3] += change;
    p.end_time = kEnd;
    p.sample_times = {0, kEnd};
    return SolveUncertified(p).samples.back().bodies;
  };
  const std::vector<BodyState> as_given = end_of(0), changed = end_of(kChange);
  double largest = 0;
  for (std::size_t b = 0; b < changed.size(); ++b)
    largest = std::max(largest, Norm(changed[b].position - as_given[b].position));
  EXPECT_GT(largest, 1e3 * kChange);
}

TEST(StiffProblems, GimbalsKeepTwoMomentaAndTheirJointsExertNoForces) {
  for (const char* name : {"gimbal:spin=200", "gimbal:spin=5000"}) {
    const Problem p = MakeProblem(name);
    const std::optional<Reference> r = FindReference(p);
    ASSERT_TRUE(r) << name;
    const auto momenta = [&p](const ReferenceSample& sample) {
      const BodyState& rotor = sample.bodies[2];
      const Vector3 w = Rotate(Conjugate(rotor.orientation), rotor.angular_velocity);
      return std::pair{MomentumOf(p.system, sample.bodies).angular.z,
                       p.system.bodies[2].inertia(1, 1) * w.y};
    };
    const auto [about_z, of_rotor] = momenta(r->samples.front());
    double largest_torque = 0;
    for (const ReferenceSample& sample : r->samples) {
      EXPECT_NEAR(momenta(sample).first, about_z, 1e-14 * of_rotor) << name << sample.time;
      EXPECT_NEAR(momenta(sample).second, of_rotor, 1e-14 * of_rotor) << name << sample.time;
      for (const ReferenceReaction& reaction : sample.reactions) {
        EXPECT_LT(Norm(reaction.force), 1e-20) << name << sample.time;
        largest_torque = std::max(largest_torque, Norm(reaction.torque));
      }
    }
    EXPECT_GT(largest_torque, 0.1) << name;
  }
}

}  // namespace
}  // namespace mbsbench
