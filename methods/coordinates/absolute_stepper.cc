#include "methods/coordinates/absolute_stepper.h"

#include <cmath>
#include <numbers>

#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/hermite.h"

namespace mbsbench::absolute {

AbsoluteStepper::AbsoluteStepper(const System& system) : dynamics_(system) {}

Status AbsoluteStepper::Initialise(double t, const SystemState& state, std::span<double> y) {
  if (const Status status = dynamics_.Start(t, state); !status.ok()) return status;
  if (const Status status = dynamics_.Accelerate(Pivots::kNewOrder); !status.ok()) return status;
  dynamics_.Store(y);
  return {};
}

Status AbsoluteStepper::Start(double t, const SystemState& state, const StepControl& control) {
  counters_ = {};
  grid_.Start(t, control.step);
  time_ = before_ = t;
  y_.resize(state_size());
  if (const Status status = Initialise(t, state, y_); !status.ok()) return status;
  if (const int joint = dynamics_.Slipping(control.length / control.time); joint >= 0)
    return {Status::Code::kStepFailed, joint, -1,
            "the start violates the joint's constraints on velocities"};
  begin_ = y_;
  return {};
}

StepReport AbsoluteStepper::Step(double limit) {
  const double end = grid_.Next(limit);
  if (const Status status = MoveOn(end); !status.ok()) return {status};
  Arrive(end);
  grid_.Advance();
  return {{}, error_estimate_};
}

void AbsoluteStepper::Arrive(double end) {
  begin_ = y_;
  Store(y_);
  before_ = time_, time_ = end;
  ++counters_.steps;
}

Status AbsoluteStepper::MayTurn(const Vector3d& turn, std::size_t body) {
  const double angle = turn.norm();
  if (angle < std::numbers::pi) return {};
  return {Status::Code::kNotConverged, -1, static_cast<int>(body),
          std::isnan(angle) ? "the motion of the body is not a number"
                            : "the step is too long for the spin of the body"};
}

Status AbsoluteStepper::Interpolate(double t, std::span<double> y) {
  const double h = time_ - before_, s = (t - before_) / h;
  for (std::size_t at = 0; at < motion_size(); at += kMotionSize) {
    BodyMotion begin, end;
    ReadMotion(begin_.data() + at, begin);
    ReadMotion(y_.data() + at, end);
    const BodyState between = Between(StateOf(begin), StateOf(end), h, s);
    WriteMotion(MotionsOf({&between, 1}).front(), y.data() + at);
  }
  for (std::size_t i = motion_size(); i < y.size(); ++i) y[i] = (1 - s) * begin_[i] + s * y_[i];
  return {};
}

Status AbsoluteStepper::Observe(double t, std::span<const double> y, Detail detail,
                                Observation& observation) {
  dynamics_.Load(t, y);
  return dynamics_.Observe(detail, observation);
}

std::vector<JointReaction> AbsoluteStepper::AlgorithmicReactions(double t,
                                                                 std::span<const double> y) {
  dynamics_.Load(t, y);
  dynamics_.LoadMultipliers(y.subspan(multipliers_at()));
  return dynamics_.Reactions();
}

HasPower* AbsoluteStepper::power() {
  return HasNonConservativeForces(dynamics_.system()) ? this : nullptr;
}

double AbsoluteStepper::Power(double t, std::span<const double> y) {
  dynamics_.Load(t, y);
  return dynamics_.Power();
}

}  // namespace mbsbench::absolute
