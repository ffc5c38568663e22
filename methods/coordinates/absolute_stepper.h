// Steps of a formulation in absolute coordinates: everything but the equations of a step, and the control of adaptive steps.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "methods/coordinates/body_dynamics.h"
#include "methods/interface/fixed_steps.h"
#include "methods/interface/method.h"
#include "methods/interface/time_stepper.h"
#include "methods/thresholds/thresholds.h"

namespace mbsbench::absolute {

// An option of formulations whose fixed steps iterate.
inline const NumericOption kNewton{"newton", "last change in a step, relative to the length",
                                   "",       kThresholds.solved_step,
                                   1e-15,    1e-3};

// y = [motions of all bodies | data of the scheme]. Where a step fails, time() and y() remain those of the last one.
class AbsoluteStepper : public TimeStepperFormulation,
                        public HasPower,
                        public HasAlgorithmicReactions {
 public:
  explicit AbsoluteStepper(const System& system);

  // The motions alone; a scheme with data overrides the two.
  std::size_t state_size() const override { return motion_size(); }
  Status Initialise(double t, const SystemState& state, std::span<double> y) override;

  Status Start(double t, const SystemState& state, const StepControl& control) override;
  // Fixed steps.
  StepReport Step(double limit) override;
  double time() const final { return time_; }
  std::span<const double> y() const final { return y_; }
  // Takes the number `newton` of the options.
  void EndIterations(const MethodOptions& options) { last_change_ = Number(options, kNewton); }
  WorkCounters counters() const final { return counters_; }
  // Within the last step: motions by Hermite interpolation, the data of the scheme linearly.
  Status Interpolate(double t, std::span<double> y) override;

  // Motion, accelerations and reactions of the equations of motion at (t, y): those of BodyDynamics, unless a formulation has its own.
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override;
  // By the multipliers in y, of a scheme that has them there.
  HasAlgorithmicReactions* algorithmic_reactions() override {
    return multipliers_at() > 0 ? this : nullptr;
  }
  std::vector<JointReaction> AlgorithmicReactions(double t, std::span<const double> y) override;
  HasPower* power() final;
  double Power(double t, std::span<const double> y) override;

 protected:
  // The equations of a step from y_ at time() to `end`, where they leave bodies() and the data of the scheme.
  virtual Status MoveOn(double end) = 0;
  // y from bodies() and the data of the scheme.
  virtual void Store(std::span<double> y) { dynamics_.Store(y); }
  // Where y has the multipliers of a step, joint after joint; 0: nowhere.
  virtual std::size_t multipliers_at() const { return 0; }
  // MoveOn has led to `end`: time() and y() follow.
  void Arrive(double end);

  std::size_t motion_size() const { return kMotionSize * dynamics_.bodies().size(); }
  const AbsoluteConstraints& joints() const { return dynamics_.constraints(); }
  const AbsoluteForces& elements() const { return dynamics_.force_elements(); }
  // visit(body, its first column in a row of the joint) for the bodies of a joint but the ground.
  template <class Visit>
  void ForBodies(std::size_t joint, Visit visit) const {
    if (joints()[joint].parent() != kGround) visit(joints()[joint].parent(), 0);
    if (joints()[joint].child() != kGround) visit(joints()[joint].child(), kRates);
  }
  // The orientation of `body` becomes that of `from`, turned by the quaternion `increment` in body axes.
  static void Turn(const BodyMotion& from, const Vector4d& increment, BodyMotion& body) {
    body.SetQuaternion(
        (increment[0] * from.quaternion + LeftProduct(from.quaternion) * increment.tail<3>())
            .normalized());
  }

  // Refuses the rotation vector of a body in a step if it is not below half a turn.
  static Status MayTurn(const Vector3d& turn, std::size_t body);

  BodyDynamics dynamics_;
  WorkCounters counters_;
  // Current time and state.
  double time_ = 0;
  std::vector<double> y_;
  double before_ = 0;          // time and
  std::vector<double> begin_;  // state at the begin of the last step
  double error_estimate_ = std::numeric_limits<double>::quiet_NaN();  // as in StepReport
  double last_change_ = kNewton.by_default;

 private:
  StepGrid grid_;
};

}  // namespace mbsbench::absolute
