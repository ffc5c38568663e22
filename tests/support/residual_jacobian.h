// The Jacobian of a DAE, and the one from differences of its residual.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "methods/interface/formulation.h"

namespace mbsbench {

// dF/dy + c dF/dy', dense.
inline Eigen::MatrixXd DenseJacobian(DaeFormulation& f, double c, const std::vector<double>& y,
                                     const std::vector<double>& yp) {
  const SparsityPattern& pattern = f.pattern();
  std::vector<double> values(pattern.row.size(), std::nan(""));
  EXPECT_TRUE(f.Jacobian(0, c, y, yp, values).ok());
  const auto n = static_cast<Eigen::Index>(f.state_size());
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t j = 0; j < f.state_size(); ++j) {
    for (auto k = static_cast<std::size_t>(pattern.column_start[j]);
         k < static_cast<std::size_t>(pattern.column_start[j + 1]); ++k) {
      dense(pattern.row[k], static_cast<Eigen::Index>(j)) = values[k];
    }
  }
  return dense;
}

// dF/dy + c dF/dy' is the derivative of F(y + s e_j, y' + c s e_j) by s. Differences of fourth
// order.
inline Eigen::MatrixXd JacobianByDifferences(DaeFormulation& f, double c,
                                             const std::vector<double>& y,
                                             const std::vector<double>& yp) {
  constexpr double kStep = 1e-3;
  const std::size_t n = f.state_size();
  Eigen::MatrixXd dense(n, n);
  const auto residual = [&](std::size_t j, double s) {
    std::vector<double> y_s = y, yp_s = yp;
    Eigen::VectorXd r(n);
    y_s[j] += s;
    yp_s[j] += c * s;
    EXPECT_TRUE(f.Residual(0, y_s, yp_s, {r.data(), n}).ok());
    return r;
  };
  for (std::size_t j = 0; j < n; ++j) {
    dense.col(static_cast<Eigen::Index>(j)) = (8 * (residual(j, kStep) - residual(j, -kStep)) -
                                               (residual(j, 2 * kStep) - residual(j, -2 * kStep))) /
                                              (12 * kStep);
  }
  return dense;
}

}  // namespace mbsbench
