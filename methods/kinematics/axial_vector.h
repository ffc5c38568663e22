// The vector w of the skew part of a matrix: (m - m') / 2 = w x.
#pragma once

#include <Eigen/Core>

namespace mbsbench {

inline Eigen::Vector3d AxialVector(const Eigen::Matrix3d& m) {
  return 0.5 * Eigen::Vector3d(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1));
}

}  // namespace mbsbench
