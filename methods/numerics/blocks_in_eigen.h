// Vectors and matrices of block_algebra.h as Eigen types, for equations that are written with Eigen.
#pragma once

#include <Eigen/Core>

#include "methods/numerics/block_algebra.h"

namespace mbsbench {

template <class T>
Eigen::Matrix<T, 3, 1> AsEigen(const Vec<T>& v) {
  return {v.x, v.y, v.z};
}
template <class T>
Eigen::Matrix<T, 3, 3> AsEigen(const Mat<T>& m) {
  Eigen::Matrix<T, 3, 3> r;
  r << m.x.x, m.x.y, m.x.z, m.y.x, m.y.y, m.y.z, m.z.x, m.z.y, m.z.z;
  return r;
}
template <class T>
Eigen::Matrix<T, 3, 3> AsEigen(const Sym<T>& m) {
  Eigen::Matrix<T, 3, 3> r;
  r << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
  return r;
}
template <class T>
Vec<T> FromEigenVector(const Eigen::Matrix<T, 3, 1>& v) {
  return {v.x(), v.y(), v.z()};
}
template <class T>
Mat<T> FromEigenMatrix(const Eigen::Matrix<T, 3, 3>& m) {
  return {{m(0, 0), m(0, 1), m(0, 2)}, {m(1, 0), m(1, 1), m(1, 2)}, {m(2, 0), m(2, 1), m(2, 2)}};
}

// r x, as a matrix.
template <class T>
Eigen::Matrix<T, 3, 3> CrossMatrix(const Eigen::Matrix<T, 3, 1>& r) {
  Eigen::Matrix<T, 3, 3> m;
  m << T(0), -r.z(), r.y(), r.z(), T(0), -r.x(), -r.y(), r.x(), T(0);
  return m;
}

}  // namespace mbsbench
