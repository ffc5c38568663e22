#pragma once

#include <array>
#include <memory>
#include <vector>

#include "methods/numerics/loop_elimination.h"
#include "methods/riccati_mstmm/general_sweep.h"
#include "methods/riccati_mstmm/loop_columns.h"
#include "methods/transfer_elements/joint_coordinate_formulation.h"

namespace mbsbench {

// riccati-mstmm:general, trees and closed loops of all joint types.
class RiccatiGeneral final : public JointCoordinateFormulation {
 public:
  RiccatiGeneral(const GivenSystem& given, Stabilisation stabilisation,
                 LoopElimination::Use elimination = LoopElimination::Use::kWhereCheaper);
  SolvedCondition ConditionAt(double t, std::span<const double> y) override;
  // Of a system that has some.
  std::string ExplainLoops() const { return ExplainLoopElimination(system(), columns_->paths()); }

 private:
  Status Solve(double t, std::span<const double> y, std::span<double> ydot) override;
  bool knows_reactions() const override { return !columns_; }  // trees
  Status SolveWithReactions(double t, std::span<const double> y, std::span<double> ydot,
                            std::span<JointReaction> reactions,
                            std::span<double> along_axes) override;
  void OutputStates(std::span<OutputState> states) const override;
  std::vector<JointReaction> Passed(std::span<const BodyState> bodies,
                                    std::span<const BodyAcceleration> accelerations) const override;

  // Positions, velocities and external forces.
  void MoveElements(std::span<const double> y, std::span<double> ydot);
  Status CloseLoops(std::span<const double> y);
  void SetPassages();
  void ApplyChanges();

  SweepSpace<double> space_;
  std::array<std::vector<int>, 2>
      ends_;  // per loop joint: elements that it acts on, child and parent
  std::unique_ptr<RiccatiLoopColumns<double>> columns_;  // none on trees, as the following
  std::unique_ptr<LoopWrenches> wrenches_;
  std::unique_ptr<LoopElimination> elimination_;
};

}  // namespace mbsbench
