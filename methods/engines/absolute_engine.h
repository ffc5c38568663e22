// The common part of engines in absolute coordinates: y = position, unit quaternion, velocity and angular velocity of each body,
// the last two in inertial axes. Joints are constraints of the engine. A derived engine adds the accelerations.
#pragma once

#include <span>
#include <vector>

#include "methods/interface/formulation.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_laws.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

class AbsoluteEngine : public OdeFormulation, public Projects, public HasPower {
 public:
  explicit AbsoluteEngine(const System& system);

  std::size_t state_size() const override { return kSize * system_.bodies.size(); }
  std::vector<Dimension> Dimensions() const override;
  Status Initialise(double t, const SystemState& state, std::span<double> y) override;
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override;
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override;
  // Joints open otherwise.
  Projects* projection() override { return this; }
  bool needs_projection() const override { return true; }
  Status Project(double t, std::span<double> y) override;
  HasPower* power() override;
  double Power(double t, std::span<const double> y) override;

 protected:
  static constexpr std::size_t kSize = 13;  // entries of y per body

  // Sets accelerations_ at time t and bodies_. It need not check for values that are not finite.
  virtual Status Accelerate(double t) = 0;
  // After Accelerate: the wrench of a joint on its child about the child's mass centre, in inertial axes.
  virtual Wrench OnChild(std::size_t joint) const = 0;

  // Sets bodies_.
  Status Read(std::span<const double> y);
  // All forces but gravity at bodies_, about the mass centres, in inertial axes; empty: none.
  std::span<const Wrench> WrenchesAt(double t);

  const System system_;
  std::vector<BodyState> bodies_;  // at first those where all coordinates of joints are zero
  std::vector<BodyAcceleration> accelerations_;

 private:
  static void Write(const std::vector<BodyState>& bodies, std::span<double> y);

  const std::vector<JointLaw> joint_laws_;  // of motors, which need no coordinate
  std::vector<Wrench> wrenches_;
};

}  // namespace mbsbench
