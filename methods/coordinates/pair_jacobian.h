// Jacobians of joints and force elements in the unknowns r, q, v, omega of parent and child, from the
// derivatives by positions and rates of absolute_motion.h.
#pragma once

#include <utility>
#include <vector>

#include "methods/coordinates/body_dynamics.h"

namespace mbsbench::absolute {

inline constexpr int kPairSize = 2 * kMotionSize;

// d phi / d q, for any length of q.
struct PairTurns {
  Eigen::Matrix<double, 3, 4> parent, child;
};
inline PairTurns TurnsOf(const BodyDynamics& dynamics, int parent, int child) {
  const auto turn = [&](int body) -> Eigen::Matrix<double, 3, 4> {
    const Vector4d& q = dynamics.Motion(body).quaternion;
    return 2 / q.squaredNorm() * LeftProduct(q).transpose();
  };
  return {turn(parent), turn(child)};
}

// Writes a block whose columns are derivatives by the positions or the rates of a pair.
template <class Derivatives, class Block>
void PutByPositions(const Derivatives& by_positions, const PairTurns& turns, Block&& block) {
  block.template middleCols<3>(kPosition) = by_positions.template middleCols<3>(0);
  block.template middleCols<4>(kQuaternion) =
      by_positions.template middleCols<3>(kParentTurn).lazyProduct(turns.parent);
  block.template middleCols<3>(kMotionSize + kPosition) =
      by_positions.template middleCols<3>(kChild);
  block.template middleCols<4>(kMotionSize + kQuaternion) =
      by_positions.template middleCols<3>(kChildTurn).lazyProduct(turns.child);
}
template <class Derivatives, class Block>
void PutByRates(const Derivatives& by_rates, Block&& block) {
  block.template middleCols<kRates>(kVelocity) = by_rates.template middleCols<kRates>(0);
  block.template middleCols<kRates>(kMotionSize + kVelocity) =
      by_rates.template middleCols<kRates>(kChild);
}

// Writes minus the derivatives of the forces on a pair to the rows of its equations of motion.
template <class Matrix>
void PutMinusForces(const ForceDerivatives& d, const PairTurns& turns, Matrix& matrix) {
  for (const auto& [from, at] : {std::pair{0, 0}, std::pair{kChild, kMotionSize}}) {
    auto rows = matrix.template middleRows<kRates>(at + kVelocity).template leftCols<kPairSize>();
    PutByPositions(-d.by_positions.middleRows<kRates>(from), turns, rows);
    PutByRates(-d.by_rates.middleRows<kRates>(from), rows);
  }
}

// Unknowns of a pair where y holds the motions of all bodies in their order; -1: the ground's.
inline std::vector<int> UnknownsOfPair(int parent, int child) {
  std::vector<int> unknowns;
  for (const int body : {parent, child}) {
    for (int i = 0; i < kMotionSize; ++i)
      unknowns.push_back(body == kGround ? -1 : kMotionSize * body + i);
  }
  return unknowns;
}

}  // namespace mbsbench::absolute
