// f(z), its exact sparse Jacobian and the motion linearised about a steady state: adapts steady_equations.h
// to the contract.
//
// If loops close to a stated precision only, rows that depend on others within that precision are left out: lambda = 0
// takes the place of their closures, which the others imply up to the precision. They are chosen at the start.
#pragma once

#include "methods/interface/formulation.h"
#include "methods/steady/algebraic_formulation.h"
#include "methods/steady_state_newton/steady_equations.h"

namespace mbsbench::steady {

class SteadyFormulation final : public AlgebraicFormulation, private SteadyEquations<double> {
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

  Vector DenseJacobian(std::span<const double> z);         // of f's size, column by column
  Eigen::MatrixXd ClosureRows(std::span<const double> z);  // by the coordinates, one per column
  Status LeaveOutDependentRows(std::span<const double> z);
  // The reactions of the loop joints on their children.
  std::vector<JointReaction> ReactionsOf(const Vector& lambda) const;

  std::vector<int> left_out_;   // cut rows
  std::vector<double> ratios_;  // speeds of the drivers by that of the first
  double speed_ = 0;
};

}  // namespace mbsbench::steady
