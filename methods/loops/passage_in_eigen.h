// Passages of the elimination of loops (loop_elimination.h) from matrices of Eigen.
#pragma once

#include <Eigen/Dense>

#include "methods/loops/loop_elimination.h"
#include "methods/numerics/blocks_in_eigen.h"

namespace mbsbench {

// L D L' of a symmetric positive definite matrix.
inline Factors<double> FactorsOf(const Eigen::Matrix3d& m) {
  return Factorised(Sym<double>{m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)}, 0);
}

// For a joint with six degrees of freedom, from the inertia [J J K; K' J M + K' J K] along them.
inline void SetFreePassage(const Eigen::Matrix<double, 6, 6>& inertia,
                           LoopElimination::Passage& passage) {
  const Eigen::Matrix3d J = inertia.topLeftCorner<3, 3>(), H = inertia.topRightCorner<3, 3>(),
                        K = J.ldlt().solve(H);
  passage.J = FactorsOf(J);
  passage.SetK(FromEigenMatrix(K));
  passage.M = FactorsOf(inertia.bottomRightCorner<3, 3>() - H.transpose() * K);
}

}  // namespace mbsbench
