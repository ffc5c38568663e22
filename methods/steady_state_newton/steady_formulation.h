// f(z) and its exact sparse Jacobian.
//
// f by two sweeps: outward for poses, velocities and accelerations, inward for the wrench W that the
// joint of each body has to transmit to its subtree,
//
//   W_b = I_b A_b + V_b x I_b V_b - (forces on b) + (cut-joint rows)' lambda + sum over children W_c   (1)
//   f_k = S_k . W_b - (spring of the joint)                                                          (2)
//
// (1) summed over a subtree and projected by (2) is B_R' of eq. 23, without B ever being formed.
//
// df/dz is full on a chain: a joint's coordinate moves all that hangs on it. It is kept sparse by
// auxiliary unknowns w, the displacements X and wrench changes dW of all bodies, which obey
//
//   X_b  = X_p + S_b dq                                                                              (3)
//   dW_b = (net wrench of b)_X X_b + (pairs)_X X + ... + sum over children dW_c                        (4)
//
// and f's own rows S_k . dW_b + W_b . dS_k. Ordered X from the root to the tips, then dW from the tips
// to the root, (3) and (4) are unit lower triangular in w. Bodies that no coordinate at rest parts
// move as one rigid body; where a driver rides on a moving body, velocity and acceleration of what it
// carries are auxiliary unknowns, too (dV, dA between X and dW).
#pragma once

#include "methods/interface/formulation.h"
#include "methods/steady_state_newton/pair_forces.h"
#include "methods/steady_state_newton/relative_tree.h"
#include "methods/steady_state_newton/sparse_blocks.h"

namespace mbsbench::steady {

class SteadyFormulation final : public AlgebraicFormulation {
 public:
  explicit SteadyFormulation(const System& system);

  std::size_t state_size() const override { return size_; }
  Status Initialise(double t, const SystemState& state, std::span<double> z) override;
  Status Residual(std::span<const double> z, std::span<double> f) override;
  const SparsityPattern& pattern() const override { return blocks_.pattern(); }
  Status Jacobian(std::span<const double> z, std::span<double> values) override;
  void ResidualScale(std::span<const double> z, std::span<double> scale) override;
  std::vector<Quantity> unknowns() const override;
  std::vector<Quantity> residuals() const override;
  std::size_t coordinate_count() const override { return tree_.coordinates(); }
  double speed() const override { return speed_; }
  void SetSpeed(double speed) override;
  Status Linearise(std::span<const double> z, Linearisation& linearisation) override;
  Status Observe(double t, std::span<const double> z, Detail detail,
                 Observation& observation) override;

 private:
  using Vector = std::vector<double>;

  // Poses, motion with the rates u of q_R, pair elements; then the wrenches (1).
  void Sweep(std::span<const double> z, std::span<const double> rates);
  void PlacePairs(std::span<const double> z);
  void BalanceWrenches();
  void ForceRows(std::span<const double> z, std::span<const double> rates, std::span<double> f);
  Vector6 NetWrench(int body) const;  // inertia less gravity and applied forces

  void AddJacobianBlocks();
  void AddNetWrenchBlocks(int body);
  void AddPairBlocks(int body_p, int body_c, double force, const UnitWrench& line);
  void AddSpringBlocks(const SpringDamper& element, const Pull& pull);
  void AddByVelocity(int row, int body, const Matrix6& by_velocity);
  Vector DenseJacobian(std::span<const double> z);  // of f's size, column by column

  int X(int body) const { return first_x_ + 6 * tree_.PositionOf(body); }
  int W(int body) const {
    return first_w_ + 6 * (static_cast<int>(system_.bodies.size()) - 1 - tree_.PositionOf(body));
  }
  // dV of the rigid group of a body, dA behind it; -1 where neither depends on q_R.
  int Group(int body) const {
    return body == kGround ? -1 : group_[static_cast<std::size_t>(body)];
  }

  System system_;
  RelativeTree tree_;
  std::vector<std::vector<int>> springs_of_;  // per tree joint: its joint springs
  std::size_t size_ = 0;
  int first_x_ = 0, first_w_ = 0, matrix_size_ = 0;
  std::vector<int> group_;
  SparseBlocks blocks_;
  std::vector<double> ratios_;  // speeds of the drivers by that of the first
  double speed_ = 0;

  std::vector<UnitWrench> cut_rows_;
  std::vector<int> row_joint_;  // loop joint of each cut row
  std::vector<double> lambda_;
  std::vector<Pull> pulls_;
  std::vector<Vector6> wrenches_;  // W per body
};

}  // namespace mbsbench::steady
