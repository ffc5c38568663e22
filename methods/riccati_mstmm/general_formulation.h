#pragma once

#include "methods/riccati_mstmm/general_sweep.h"
#include "methods/transfer_elements/joint_coordinate_formulation.h"

namespace mbsbench {

// riccati-mstmm:general, trees of all joint types.
class RiccatiGeneral final : public JointCoordinateFormulation {
 public:
  explicit RiccatiGeneral(const System& system)
      : JointCoordinateFormulation(system), space_(tree_) {}
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override;

 private:
  void OutputStates(std::span<OutputState> states) const override;

  SweepSpace<double> space_;
};

}  // namespace mbsbench
