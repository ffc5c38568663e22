// M^-1 of a tree in joint rates by the articulated-body recursion, linear in bodies, without forming
// M.
//
// I_b: articulated inertia of a body about its joint point o_b, inertial axes; S: its free screws
//   U = I S,  D = S' U,  I^a = I - U D^-1 U'                                  from tips to root   (1)
//   I_parent += X' I^a X                 X: acceleration at o_parent -> at o_b                     (2)
// M u' = tau for one tau:
//   z = D^-1 (tau - S' p),  p_parent += X' (p + U z)                           from tips to root   (3)
//   u' = z - D^-1 U' a',  a = a' + S u',  a' = X a_parent                      from root to tips   (4)
//
// With loops, L u' = gamma and kept rows L: (L M^-1 L') lambda = gamma - L M^-1 (Q - C).
#pragma once

#include <array>
#include <vector>

#include "reference/joint_coordinates/dependent_rates.h"
#include "reference/joint_coordinates/joint_motion.h"
#include "reference/joint_coordinates/kane_equations.h"

namespace mbsbench::extended {

class ArticulatedTree {
 public:
  // Throws ModelError if a subtree has no inertia about the free directions of its joint.
  explicit ArticulatedTree(const JointMotion& motion);
  // u' of all rates; 0 for driven rates.
  std::vector<Real> Solve(const std::vector<Real>& tau) const;

 private:
  using Spatial = std::array<Real, 6>;  // angular, then linear at the joint point
  struct Node {
    std::vector<std::size_t> rates;                // that are free
    std::array<Spatial, 6> u{}, u_by_d{};          // U, U D^-1, by columns
    std::array<std::array<Real, 6>, 6> inverse{};  // D^-1
    Vec3 arm;                                      // from the parent's joint point
  };
  const JointMotion* motion_;
  std::vector<Node> nodes_;
};

// As SolveDense, by the recursion.
JointAccelerations SolveRecursively(const JointMotion& motion, const std::vector<Real>& forces,
                                    const Matrix& rows, const DependentRates& dependent,
                                    const std::vector<Real>& gamma);

}  // namespace mbsbench::extended
