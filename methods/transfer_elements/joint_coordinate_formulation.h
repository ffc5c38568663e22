// What the tree formulations of the transfer matrix methods share beside the elements: the state y
// = [q; u] of the joint coordinates (meanings in problems/model/system.h, order of System::joints)
// and its way from and to absolute states.
#pragma once

#include <vector>

#include "methods/interface/force_elements.h"
#include "methods/interface/formulation.h"
#include "methods/transfer_elements/tree_motion.h"

namespace mbsbench {

class JointCoordinateFormulation : public OdeFormulation {
 public:
  explicit JointCoordinateFormulation(const System& system);

  std::size_t state_size() const final;
  Status Initialise(double t, const SystemState& state, std::span<double> y) final;
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) final;
  bool has_projection() const final { return has_quaternions_; }
  Status Project(double t, std::span<double> y) final;
  bool has_power() const final { return has_power_; }
  double Power(double t, std::span<const double> y) final;

 protected:
  // State vector at the output end of a body: z_b and z_a, signs of the papers.
  struct OutputState {
    Vec3<double> a, alpha, m, q;
  };
  // State vectors at the output ends of all elements, after an Evaluate at the same y.
  virtual void OutputStates(std::span<OutputState> states) const = 0;

  // Wrenches of springs between bodies and of applied forces at y, per body of the system; motions
  // are those of y.
  std::span<const Wrench> CalcWrenches(std::span<const double> y,
                                       const ElementMotion<double>* motions);
  bool has_wrenches() const { return has_wrenches_; }

  const System system_;
  const JointTree tree_;

 private:
  bool has_quaternions_ = false, has_power_ = false, has_wrenches_ = false;
  std::vector<OriginMotion> origins_;
  std::vector<BodyState> bodies_;
  std::vector<Wrench> wrenches_;
  std::vector<ElementMotion<double>> observed_motions_;
};

}  // namespace mbsbench
