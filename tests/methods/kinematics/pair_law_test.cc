// The gradients of a bushing's force and moment, at vectors that are no axes of frames too.
#include "methods/kinematics/pair_law.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mbsbench {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Axes of a frame A and of a frame turned from it by `angle`, all perturbed by `off`.
PairForce::Vectors AxesAndGap(double angle, double off) {
  const Matrix3d a = Eigen::Quaterniond(0.5, 0.1, -0.7, 0.5).normalized().toRotationMatrix();
  const Matrix3d b = a * Eigen::AngleAxisd(angle, Vector3d(0.48, -0.6, 0.64)).toRotationMatrix();
  PairForce::Vectors vectors;
  for (int i = 0; i < 3; ++i) {
    vectors[static_cast<std::size_t>(i)] = a.col(i);
    vectors[static_cast<std::size_t>(3 + i)] = b.col(i);
  }
  vectors[PairForce::kGap] = {0.3, -0.2, 0.5};
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    const double phase = static_cast<double>(k);
    vectors[k] += off * Vector3d(std::sin(1 + phase), std::cos(2 * phase), std::sin(3 - phase));
  }
  return vectors;
}

TEST(PairLaw, OfABushingHasExactGradientsAtAnyVectors) {
  Bushing e;
  e.stiffness = {10, 20, 30}, e.damping = {1, 2, 3};
  e.turn_stiffness = {5, 6, 7}, e.turn_damping = {0.4, 0.5, 0.6};
  ForceElements forces;
  forces.Of<Bushing>() = {e};
  const PairLaw law = PairLawsOf(forces).at(0);
  for (const double off : {0., 0.1}) {
    for (const double angle : {0., 1e-6, 0.03, 0.07, 1., 2.5, 3.1}) {
      const PairForce::Vectors value = AxesAndGap(angle, off), rate = AxesAndGap(-2, 0.4);
      const PairForce at = law.force(value, rate, true);
      for (std::size_t k = 0; k < value.size(); ++k) {
        for (int i = 0; i < 3; ++i) {
          const double h = angle > 3 ? 1e-7 : 1e-5;
          for (const bool by_rate : {false, true}) {
            PairForce moved[2];
            for (int side : {0, 1}) {
              PairForce::Vectors v = value, w = rate;
              (by_rate ? w : v)[k][i] += side == 0 ? -h : h;
              moved[side] = law.force(v, w, false);
            }
            const auto expect = [&](const Matrix3d& exact, const Vector3d& low,
                                    const Vector3d& high) {
              const Vector3d difference = (high - low) / (2 * h);
              EXPECT_LT((exact.col(i) - difference).norm(), 1e-6 * (1 + difference.norm()))
                  << angle << ' ' << off << ' ' << k << ' ' << i << ' ' << by_rate;
            };
            expect((by_rate ? at.force_by_rate : at.force_by)[k], moved[0].force, moved[1].force);
            expect((by_rate ? at.moment_by_rate : at.moment_by)[k], moved[0].moment,
                   moved[1].moment);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace mbsbench
