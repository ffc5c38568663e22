// G of one joint row by row, and where its entries stand in the matrices made of it.
#pragma once

#include <cstdint>

#include "methods/cartesian_dae/joint_link.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

inline constexpr int kRates = 6;  // v, omega

// Columns: v, omega of the parent, then of the child.
using ConstraintJacobian = Eigen::Matrix<double, kMaxConstraints, 2 * kRates>;

// What a unit multiplier does to the bodies.
inline ConstraintJacobian JacobianOf(const JointLink& link, const BodyMotion& parent,
                                     const BodyMotion& child) {
  ConstraintJacobian g = ConstraintJacobian::Zero();
  for (int i = 0; i < link.constraints.size(); ++i) {
    const PairForce row = link.constraints.Force(parent, child, ConstraintVector::Unit(i));
    g.row(i) << row.parent_force.transpose(), row.parent_moment.transpose(),
        row.child_force.transpose(), row.child_moment.transpose();
  }
  return g;
}

// Visits the entries of [ 0 -G'; G 0 ] that belong to one link whose rows begin at `at`, in one
// fixed order: visit(row, column, value).
template <typename Visit>
void VisitLink(const JointLink& link, int at, const ConstraintJacobian& g, Visit&& visit) {
  for (int side : {0, 1}) {
    const int body = side == 0 ? link.parent : link.child;
    if (body == kGround) continue;
    for (int i = 0; i < link.constraints.size(); ++i) {
      for (int j = 0; j < kRates; ++j) {
        const double value = g(i, kRates * side + j);
        visit(at + i, kRates * body + j, value);
        visit(kRates * body + j, at + i, -value);
      }
    }
  }
}

// Rows of a link that are left out because others imply them: bit i for row i.
using RowSet = std::uint8_t;
inline bool Holds(RowSet rows, int i) { return (rows >> i & 1) != 0; }

}  // namespace mbsbench::cartesian
