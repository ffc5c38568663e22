// f(z) and its exact sparse Jacobian.
//
// f by two sweeps: outward for poses, velocities and accelerations, inward for the wrench W that the
// joint of each body transmits to its subtree,
//
//   W_b = I_b A_b + V_b x I_b V_b - (forces on b) + (cut-joint rows)' lambda + sum over children W_c   (1)
//   f_k = S_k . W_b - (spring of the joint)                                                          (2)
//
// (1) summed over a subtree and projected by (2) is B_R' of eq. 23, without forming B.
//
// df/dz is full on a chain: a joint's coordinate moves its whole subtree. It is kept sparse by
// auxiliary unknowns w, the displacements X and wrench changes dW of all bodies, which obey
//
//   X_b  = X_p + S_b dq                                                                              (3)
//   dW_b = (net wrench of b)_X X_b + (pairs)_X X + ... + sum over children dW_c                        (4)
//
// and f's own rows S_k . dW_b + W_b . dS_k. Ordered X from the root to the tips, then dW from the tips
// to the root, (3) and (4) are unit lower triangular in w. Bodies with no coordinate of q_R between
// them move as one rigid body. If a driver is on a moving body, velocity and acceleration of its
// subtree are auxiliary unknowns, too (dV, dA between X and dW).
#pragma once

#include "methods/steady_state_newton/pair_forces.h"
#include "methods/steady_state_newton/relative_tree.h"
#include "methods/steady_state_newton/sparse_blocks.h"

namespace mbsbench::steady {

template <typename Real>
class SteadyEquations : protected Spatial<Real> {
 public:
  using typename Spatial<Real>::Vector3, typename Spatial<Real>::Matrix3,
      typename Spatial<Real>::Vector6, typename Spatial<Real>::Matrix6,
      typename Spatial<Real>::Matrix36;

  explicit SteadyEquations(const System& system);

  // Writes z of a state; coordinates of driven joints and bases of rotations are taken from it.
  void StartAt(const JointState& state, std::span<double> z) { tree_.StartAt(state, z); }
  std::size_t size() const { return size_; }
  const SparsityPattern& pattern() const { return blocks_.pattern(); }
  void CalcResidual(std::span<const Real> z, std::span<Real> f);
  void CalcJacobian(std::span<const Real> z, std::span<Real> values);

 protected:
  using Spatial<Real>::Skew, Spatial<Real>::Stack, Spatial<Real>::Angular, Spatial<Real>::Linear,
      Spatial<Real>::ForceAt, Spatial<Real>::CrossMatrix, Spatial<Real>::PointOf;

  // Poses, motion with the rates u of q_R, pair elements; then the wrenches (1).
  void Sweep(std::span<const Real> z, std::span<const Real> rates);
  void PlacePairs(std::span<const Real> z);
  void BalanceWrenches();
  void ForceRows(std::span<const Real> z, std::span<const Real> rates, std::span<Real> f);
  Vector6 NetWrench(int body) const;  // inertia less gravity and applied forces

  void AddJacobianBlocks();
  void AddNetWrenchBlocks(int body);
  void AddPairBlocks(int body_p, int body_c, const Real& force, const UnitWrench<Real>& line);
  void AddSpringBlocks(const SpringDamper& element, const Pull<Real>& pull);
  void AddByVelocity(int row, int body, const Matrix6& by_velocity);

  int X(int body) const { return first_x_ + 6 * tree_.PositionOf(body); }
  int W(int body) const {
    return first_w_ + 6 * (static_cast<int>(system_.bodies.size()) - 1 - tree_.PositionOf(body));
  }
  // dV of the rigid group of a body, dA after it; -1 if neither depends on q_R.
  int Group(int body) const {
    return body == kGround ? -1 : group_[static_cast<std::size_t>(body)];
  }

  System system_;
  RelativeTree<Real> tree_;
  std::vector<std::vector<int>> springs_of_;  // per tree joint: its joint springs
  std::size_t size_ = 0;
  int first_x_ = 0, first_w_ = 0, matrix_size_ = 0;
  std::vector<int> group_;
  SparseBlocks<Real> blocks_;

  std::vector<UnitWrench<Real>> cut_rows_;
  std::vector<int> row_joint_;  // loop joint of each cut row
  std::vector<Real> lambda_;
  std::vector<Pull<Real>> pulls_;
  std::vector<Vector6> wrenches_;  // W per body
};

extern template class SteadyEquations<double>;

}  // namespace mbsbench::steady
