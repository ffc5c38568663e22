// Fixed steps: the time grid of every fixed-step scheme, and a time stepper whose step is a map of y
// alone.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/interface/time_stepper.h"

namespace mbsbench {

// The times start + k h up to a limit. They are counted, not summed; a remainder below a rounding error
// is no step.
class StepGrid {
 public:
  void Start(double t, double h) { start_ = t, h_ = h, k_ = 0; }
  // The next time of the grid; at the end of the grid exactly the limit.
  double Next(double limit) const;
  void Advance() { ++k_; }
  // Goes back to t, which lies within the last step: the next time remains the end of that step.
  void Return(double t);

 private:
  double start_ = 0, h_ = 1;
  std::int64_t k_ = 0;
};

// A derived class implements the map, which counts its work in counters_.
class FixedStepper : public TimeStepper {
 public:
  explicit FixedStepper(Formulation& formulation) : formulation_(formulation) {}

  Status Start(double t, const SystemState& state, const StepControl& control) override;
  StepReport Step(double limit) override;
  double time() const override { return time_; }
  std::span<const double> y() const override { return y_; }
  WorkCounters counters() const override { return counters_; }
  void Restart(double t, std::span<const double> y) override;

 protected:
  // out = state at t + h, projected onto the invariants, if any.
  virtual Status Advance(double t, std::span<const double> y, double h, std::span<double> out) = 0;

  WorkCounters counters_;

 private:
  Formulation& formulation_;
  StepGrid grid_;
  double time_ = 0;
  std::vector<double> y_, next_;
};

}  // namespace mbsbench
