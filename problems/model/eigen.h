// Conversion between the plain structs and Eigen; for source files, not for the headers of the
// contract.
#pragma once

#include <Eigen/Dense>

#include "problems/model/geometry.h"

namespace mbsbench {

inline Eigen::Vector3d ToEigen(const Vector3& v) { return {v.x, v.y, v.z}; }
inline Vector3 FromEigen(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Eigen::Quaterniond ToEigen(const Quaternion& q) { return {q.w, q.x, q.y, q.z}; }
inline Quaternion FromEigen(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }
inline Eigen::Matrix3d ToEigen(const Matrix3& m) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(m.m.data());
}

}  // namespace mbsbench
