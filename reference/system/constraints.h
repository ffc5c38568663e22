// The constraints of a joint, as rows over the accelerations of its two bodies.
#pragma once

#include <array>

#include "reference/system/extended_system.h"

namespace mbsbench::extended {

// Linear part of the mass centre, then angular part; inertial axes.
using Vec6 = std::array<Real, 6>;
inline constexpr std::size_t kMostRows = 6;

// Rows g of one joint. With the accelerations a of parent and child
//   g = position,   dg/dt = velocity,   d2g/dt2 = on_parent a_P + on_child a_C - gamma
// and the joint exerts -on_child' lambda on the child and -on_parent' lambda on the parent.
// Points coincide along inertial axes (along the parent's x and y for a prismatic or cylindrical joint,
// along its z for a planar one);
// directions u on the child and w on the parent stay perpendicular: u . w = 0. A driver adds a last
// row, whose velocity is the coordinate's rate less that of its motion; its position is 0, because
// only the rate is prescribed.
struct JointRows {
  std::size_t count = 0;
  bool driven = false;  // the last row belongs to a driver and is not a reaction of the joint
  std::array<Vec6, kMostRows> on_parent{}, on_child{};
  std::array<Real, kMostRows> position{}, velocity{}, gamma{};
};
JointRows RowsOf(const JointData& joint, const Motion& motion, const std::vector<Mat3>& rotations);

// Whether row i is a length [m]; it is a product of directions otherwise.
inline bool IsLength(const JointRows& rows, std::size_t i) {
  const Vec6& g = rows.on_child[i];
  return !IsZero(g[0]) || !IsZero(g[1]) || !IsZero(g[2]);
}

// The wrench on the child of a joint with these multipliers, -G_c' lambda without a driver's part: force, then moment
// about the child's joint point.
Vec6 WrenchOnChild(const JointData& joint, const JointRows& rows, const Motion& motion,
                   const std::vector<Mat3>& rotations, const Vec6& multipliers);

}  // namespace mbsbench::extended
