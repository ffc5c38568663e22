#include "methods/interface/fixed_steps.h"

#include <cmath>

namespace mbsbench {

double StepGrid::Next(double limit) const {
  const double exact = (limit - start_) / h_;
  const auto full = static_cast<std::int64_t>(std::floor(exact * (1 + 1e-12)));
  const bool remainder = exact - static_cast<double>(full) > 1e-9;
  return k_ + 1 >= full + (remainder ? 1 : 0) ? limit : start_ + static_cast<double>(k_ + 1) * h_;
}

void StepGrid::Return(double t) {
  if (k_ > 0 && t < start_ + static_cast<double>(k_) * h_) --k_;
}

Status FixedStepper::Start(double t, const SystemState& state, const StepControl& control) {
  if (!(control.step > 0))
    return {Status::Code::kStepFailed, -1, -1, "this scheme takes fixed steps: give a step"};
  counters_ = {};
  time_ = t;
  grid_.Start(t, control.step);
  y_.resize(formulation_.state_size());
  next_.resize(y_.size());
  return formulation_.Initialise(t, state, y_);
}

StepReport FixedStepper::Step(double limit) {
  const double end = grid_.Next(limit);
  if (const Status status = Advance(time_, y_, end - time_, next_); !status.ok()) return {status};
  ++counters_.steps;
  grid_.Advance();
  time_ = end;
  y_.swap(next_);
  return {};
}

void FixedStepper::Restart(double t, std::span<const double> y) {
  grid_.Return(t);
  time_ = t;
  y_.assign(y.begin(), y.end());
  next_.resize(y_.size());
  ++counters_.restarts;
}

}  // namespace mbsbench
