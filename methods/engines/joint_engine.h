// The common part of engines in joint coordinates: y = [q; u] with the order and meanings of JointState. Poses and
// velocities of bodies follow from it by the model's kinematics. A derived engine adds u'.
#pragma once

#include <span>
#include <vector>

#include "methods/interface/formulation.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_coordinates.h"
#include "methods/kinematics/joint_laws.h"
#include "problems/model/state.h"
#include "problems/model/system.h"
#include "problems/model/topology.h"

namespace mbsbench {

// Accelerations of all mass centres of a tree; `joints` agrees with `bodies`, and `accelerations` is u'.
std::vector<BodyAcceleration> AccelerationsOfTree(const System& system, const Topology& topology,
                                                  std::span<const BodyState> bodies,
                                                  const JointState& joints,
                                                  std::span<const double> accelerations);

class JointEngine : public OdeFormulation, public Projects, public HasPower {
 public:
  explicit JointEngine(const System& system);

  std::size_t state_size() const override { return joints_.size(); }
  std::vector<Dimension> Dimensions() const override { return joints_.Dimensions(); }
  Status Initialise(double t, const SystemState& state, std::span<double> y) override;
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override;
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override;
  Projects* projection() override { return joints_.has_quaternions() ? this : nullptr; }
  Status Project(double, std::span<double> y) override { return joints_.NormaliseQuaternions(y); }
  HasPower* power() override;
  double Power(double t, std::span<const double> y) override;

 protected:
  // All forces but gravity, and the poses at which they act.
  struct Loads {
    std::span<const double> efforts;   // per rate, of springs and motors in joints
    std::span<const Wrench> wrenches;  // per body; empty: none
    std::span<const BodyState> bodies;
  };
  Loads LoadsAt(double t, std::span<const double> y);

  // u' at y under the loads. It need not check for values that are not finite.
  virtual Status Accelerate(std::span<const double> y, const Loads& loads,
                            std::span<double> accelerations) = 0;
  // After Accelerate, of all joints; none unless the engine computes them.
  virtual std::vector<JointReaction> Reactions(std::span<const BodyState> /*bodies*/) const {
    return {};
  }

  const System system_;
  const Topology topology_;
  const JointOffsets at_;
  const JointCoordinates joints_;

 private:
  const JointForces joint_forces_;
  const bool has_elements_;
  std::vector<double> efforts_;
  std::vector<BodyState> bodies_;
  std::vector<Wrench> wrenches_;
};

}  // namespace mbsbench
