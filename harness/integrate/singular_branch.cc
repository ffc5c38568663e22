#include "harness/integrate/singular_branch.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace mbsbench {

namespace {

constexpr std::size_t kMostDense = 200;
constexpr int kMostIterations = 30;
// Relative to the largest pivot. Newton stops 1e-8 to 1e-6 away from such a position, and the singular pivots are as
// small there; regular pivots are far larger.
constexpr double kRankTolerance = 1e-4;
// Scaled residuals: the target of Newton, and the largest accepted if it falls no further.
constexpr double kSolved = 1e-14, kGoodEnough = 1e-11;

// df/dz = A - B D^-1 C, from the sparse [A B; C D].
Eigen::MatrixXd DenseJacobian(AlgebraicFormulation& formulation, std::span<const double> z) {
  const SparsityPattern& pattern = formulation.pattern();
  std::vector<double> values(pattern.row.size());
  if (!formulation.Jacobian(z, values).ok()) return {};
  const auto size = static_cast<Eigen::Index>(pattern.column_start.size()) - 1;
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(size, size);
  for (Eigen::Index c = 0; c < size; ++c) {
    for (int e = pattern.column_start[static_cast<std::size_t>(c)];
         e < pattern.column_start[static_cast<std::size_t>(c) + 1]; ++e) {
      all(pattern.row[static_cast<std::size_t>(e)], c) += values[static_cast<std::size_t>(e)];
    }
  }
  const auto n = static_cast<Eigen::Index>(z.size());
  const Eigen::Index auxiliary = size - n;
  if (auxiliary == 0) return all;
  return all.topLeftCorner(n, n) -
         all.topRightCorner(n, auxiliary) * all.bottomRightCorner(auxiliary, auxiliary)
                                                .partialPivLu()
                                                .solve(all.bottomLeftCorner(auxiliary, n));
}

// In such a position all terms of a row may vanish, and its scale with them: no force is scaled by less than a
// thousandth of the largest.
void RaiseScale(AlgebraicFormulation& formulation, std::span<const double> z,
                std::span<double> scale) {
  constexpr double kLeast = 1e-3;
  formulation.ResidualScale(z, scale);
  const std::span<double> forces = scale.first(formulation.coordinate_count());
  const double largest = *std::max_element(forces.begin(), forces.end());
  for (double& s : forces) s = std::max(s, kLeast * largest);
}

}  // namespace

std::optional<std::vector<double>> SolveSingularSteadyState(AlgebraicFormulation& formulation,
                                                            std::span<const double> guess) {
  if (formulation.pattern().column_start.size() > kMostDense + 1) return {};
  std::vector<double> z(guess.begin(), guess.end()), f(z.size()), scale(z.size());
  std::optional<std::vector<double>> best;
  double least = kGoodEnough;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    if (!formulation.Residual(z, f).ok()) return {};
    RaiseScale(formulation, z, scale);
    double largest = 0;
    for (std::size_t i = 0; i < f.size(); ++i) {
      const double scaled = std::abs(f[i]) / scale[i];
      if (!(scaled <= largest)) largest = scaled;
    }
    if (!std::isfinite(largest)) return {};
    if (largest < least) {
      least = largest;
      best = z;
    } else if (best) {
      return best;  // it falls no farther
    }
    if (largest < kSolved) return best;
    Eigen::MatrixXd jacobian = DenseJacobian(formulation, z);
    if (jacobian.size() == 0) return {};
    const auto n = static_cast<Eigen::Index>(z.size());
    const Eigen::VectorXd weight =
        Eigen::Map<const Eigen::VectorXd>(scale.data(), n).cwiseInverse();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
    factors.setThreshold(kRankTolerance);
    factors.compute(weight.asDiagonal() * jacobian);
    const Eigen::VectorXd step =
        factors.solve(weight.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(f.data(), n)));
    for (std::size_t i = 0; i < z.size(); ++i) z[i] -= step[static_cast<Eigen::Index>(i)];
  }
  return best;
}

std::vector<SpeedPoint> FollowSingularBranch(AlgebraicFormulation& formulation,
                                             std::span<const double> z, double speed, double to,
                                             int steps, double largest_step) {
  std::vector<SpeedPoint> points{{speed, {z.begin(), z.end()}}};
  for (int k = 1; k <= steps && to != speed; ++k) {
    const double next = speed + (to - speed) * k / steps;
    formulation.SetSpeed(next);
    const std::vector<double>& at = points.back().z;
    std::optional<std::vector<double>> found = SolveSingularSteadyState(formulation, at);
    if (!found) break;
    double leap = 0;
    for (std::size_t i = 0; i < formulation.coordinate_count(); ++i)
      leap = std::max(leap, std::abs((*found)[i] - at[i]));
    if (leap > largest_step) break;
    points.push_back({next, *std::move(found)});
  }
  formulation.SetSpeed(speed);
  return points;
}

}  // namespace mbsbench
