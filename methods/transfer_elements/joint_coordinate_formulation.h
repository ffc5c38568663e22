// What the tree formulations of the transfer matrix methods share beside the elements: the state y
// = [q; u] of the joint coordinates (meanings in problems/model/system.h, order of System::joints)
// and its way from and to absolute states.
#pragma once

#include <memory>
#include <vector>

#include "methods/interface/formulation.h"
#include "methods/kinematics/driven_coordinates.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_coordinates.h"
#include "methods/numerics/loop_closure.h"
#include "methods/numerics/loop_projection.h"
#include "methods/transfer_elements/tree_motion.h"

namespace mbsbench {

class JointCoordinateFormulation : public OdeFormulation {
 public:
  // `stabilisation` has a meaning on loops only.
  explicit JointCoordinateFormulation(const System& system,
                                      Stabilisation stabilisation = Stabilisation::kProjected);

  std::size_t state_size() const final;
  Status Initialise(double t, const SystemState& state, std::span<double> y) final;
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) final;
  bool has_projection() const final { return joints_.has_quaternions() || projection_; }
  bool needs_projection() const final { return projection_ != nullptr; }
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

  // How an evaluation ends: with `status`, or with kNotFinite where a rate is not finite. On failure
  // ydot is filled with NaN.
  static Status Checked(Status status, std::span<double> ydot);

  // y, with driven coordinates and rates as they are at t; valid until the next call.
  std::span<const double> Driven(double t, std::span<const double> y) { return driven_.At(t, y); }
  // The accelerations of driven joints at that t: into the motions, after CalcMotion, and into ydot.
  void Drive(ElementMotion<double>* motions) const;
  void PutDrivenRates(std::span<double> ydot) const;

  // Positions and velocities of all bodies at y; motions are those of y.
  std::span<const BodyState> CalcBodies(std::span<const double> y,
                                        const ElementMotion<double>* motions);
  // Index into the motions of the body that a joint acts on: 0 is the ground.
  int ElementOf(int body) const {
    return body == kGround ? 0 : tree_.element_of_body[static_cast<std::size_t>(body)] + 1;
  }

  const System system_;
  const JointTree tree_;
  std::unique_ptr<LoopClosure> closure_;  // none on trees

 private:
  // After Evaluate at `y`, with motions observed there.
  std::vector<DriverObservation> Drivers(std::span<const double> y) const;

  const JointCoordinates joints_;
  DrivenCoordinates driven_;
  bool has_power_ = false, has_wrenches_ = false;
  std::vector<OriginMotion> origins_;
  std::vector<BodyState> bodies_;
  std::vector<Wrench> wrenches_;
  std::vector<ElementMotion<double>> observed_motions_;
  std::unique_ptr<LoopProjection> projection_;
};

}  // namespace mbsbench
