// Integrators that a formulation brings along, as engines do: the harness drives them by the key
// `own`, between the same samples and with the same counters as its own ones.
#pragma once

#include <cstdint>
#include <span>

#include "methods/interface/status.h"

namespace mbsbench {

// Fixed steps, each from the state alone.
class OwnFixedStep {
 public:
  virtual ~OwnFixedStep() = default;
  // out = state at t + h.
  virtual Status Step(double t, std::span<const double> y, double h, std::span<double> out) = 0;
  virtual int evaluations_per_step() const = 0;
};

// Steps to a tolerance.
class OwnAdaptive {
 public:
  struct Counters {
    std::int64_t steps = 0, rejected_steps = 0, evaluations = 0, projections = 0;
  };
  virtual ~OwnAdaptive() = default;
  virtual Status Begin(double t, std::span<const double> y, double end, double tolerance) = 0;
  // y at time t, not before the time of the last call and not behind `end`. Which times are asked
  // for does not change the steps taken.
  virtual Status AdvanceTo(double t, std::span<double> y) = 0;
  // Since Begin.
  virtual Counters counters() const = 0;
};

}  // namespace mbsbench
