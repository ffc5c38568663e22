// The principal form of an inertia, for engines that take no other.
#pragma once

#include <Eigen/Eigenvalues>

#include "problems/model/eigen.h"

namespace mbsbench {

struct Principal {
  Vector3 moments;  // ascending
  Quaternion axes;  // principal axes -> body
};

inline Principal PrincipalOf(const Matrix3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(ToEigen(inertia));
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  return {FromEigen(Eigen::Vector3d(solver.eigenvalues())),
          FromEigen(Eigen::Quaterniond(axes).normalized())};
}

}  // namespace mbsbench
