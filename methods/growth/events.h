// Events, at which a formulation changes its equations or the size of its state, and the side steps by which a time stepper
// locates them: what systems that grow (rope flights) need beyond the contract of all methods.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "methods/interface/status.h"

namespace mbsbench {

// The result of an event. The harness computes its changes of momentum and energy from observations
// before and after it.
struct EventReport {
  std::string name;
  Status status;
  bool ends = false;  // the integration ends here
};

// Formulation::events(). An event occurs where its function g rises from negative values to zero; simultaneous events occur in
// the order of their indices. A disabled event has a negative g. f(t, y) is smooth beyond the next event too, so a step may pass
// it.
class HasEvents {
 public:
  virtual ~HasEvents() = default;
  virtual std::size_t event_count() const = 0;
  virtual void Events(double t, std::span<const double> y, std::span<double> g) = 0;
  // Executes event `index` at (t, y); may change the size of y, and with it state_size(), but not event_count(). The harness then
  // restarts its integrator.
  virtual EventReport Apply(std::size_t index, double t, std::vector<double>& y) = 0;
};

// TimeStepper::side_steps().
class TakesSideSteps {
 public:
  virtual ~TakesSideSteps() = default;
  // out = y after one step of length h from (t, y), outside the run but counted.
  virtual Status SideStep(double t, std::span<const double> y, double h, std::span<double> out) = 0;
};

}  // namespace mbsbench
