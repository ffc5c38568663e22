// The constants of a rigid group as Eigen types, also about its mass centre.
#pragma once

#include "methods/numerics/blocks_in_eigen.h"
#include "methods/tree_motion/group_tree.h"

namespace mbsbench {

// A group as one body, own axes: mass centre from its origin, inertia about both.
template <class T>
struct BodyConstants {
  T mass;
  Eigen::Matrix<T, 3, 1> centre = Eigen::Matrix<T, 3, 1>::Zero();
  Eigen::Matrix<T, 3, 3> J_O, J_C;

  explicit BodyConstants(const SweepGroup<T>& group)
      : mass(group.mass), J_O(AsEigen(group.inertia)), J_C(J_O) {
    if (!(mass > T(0))) return;
    centre = AsEigen(group.moment) / mass;
    J_C += mass * CrossMatrix(centre) * CrossMatrix(centre);
  }
  // About a point at r_PC from the mass centre.
  Eigen::Matrix<T, 3, 3> InertiaAbout(const Eigen::Matrix<T, 3, 1>& r_PC) const {
    return J_C - mass * CrossMatrix(r_PC) * CrossMatrix(r_PC);
  }
};

}  // namespace mbsbench
