// A scheme that advances a system step by step. Three kinds of code bring one: the integrators of the
// harness, for an ODE or a DAE; an engine, in addition to the ODE that it evaluates
// (Formulation::time_stepper); and a formulation that has no y' = f(t, y) at all and owns its step
// (TimeStepperFormulation).
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "methods/interface/formulation.h"

namespace mbsbench {

// How a run is stepped; exactly one of step and tolerance is above 0.
struct StepControl {
  double step = 0;  // of fixed length [s]
  double tolerance =
      0;  // of the local error of a step, relative, and absolute times the scale of each Dimension
  double end_time = 0;          // [s]
  double length = 1, time = 1;  // L [m] and T [s] of these scales
};

// Exact work counts since the start, failed attempts and restarts included.
struct WorkCounters {
  std::int64_t steps = 0, rejected_steps = 0, evaluations = 0, jacobians = 0, newton_iterations = 0,
               factorisations = 0, error_test_failures = 0, convergence_failures = 0,
               projections = 0;
  std::int64_t restarts = 0;  // after an event, or with other settings after a failure
  std::int64_t events = 0;    // counted by the harness
};

struct StepReport {
  Status status;
  // Estimated local error of the step by the tolerance, or by the size of y where steps are fixed;
  // NaN: the scheme estimates none.
  double error_estimate = std::numeric_limits<double>::quiet_NaN();
};

class TimeStepper {
 public:
  virtual ~TimeStepper() = default;

  // Takes its place at a consistent state, with all memory that the scheme needs for this step or
  // tolerance (accelerations, multipliers, history). The counters start at zero.
  virtual Status Start(double t, const SystemState& state, const StepControl& control) = 0;

  // Advances by one step, not beyond `limit` [s]. Fixed steps end at multiples of the step after the
  // start (fixed_steps.h). A fixed step that does not converge fails as kNotConverged, with the body or
  // joint of the largest residual: it is neither halved nor accepted. Where it fails, time() and y()
  // stay those of the last good step.
  virtual StepReport Step(double limit) = 0;

  // Where it is, and the state there as a flat vector of its formulation: all of its memory.
  virtual double time() const = 0;
  virtual std::span<const double> y() const = 0;

  // Dense output: y at a time within the last step, on the constraints where the steps are. It never
  // goes back into a step. Of an ODE without a dense output of its own the harness interpolates.
  virtual bool interpolates() const { return false; }
  virtual Status Interpolate(double /*t*/, std::span<double> /*y*/) { return {}; }

  virtual WorkCounters counters() const = 0;

  // Of a scheme that finds events (IntegratorEntry::finds_events): y after one step of length h from
  // (t, y), apart from the run but counted; and a new start at (t, y) after an event.
  virtual Status SideStep(double /*t*/, std::span<const double> /*y*/, double /*h*/,
                          std::span<double> /*out*/) {
    return {Status::Code::kStepFailed, -1, -1, "this scheme finds no events"};
  }
  virtual void Restart(double /*t*/, std::span<const double> /*y*/) {}
};

// A formulation that is its own time stepper, integrator key `own`. Its y holds all of its memory:
// [motion | accelerations | multipliers | history]. Initialise fills the motion with consistent
// accelerations and multipliers; Start makes of it the memory for one step length. The accelerations
// and reactions of Observe are those of the equations of motion at the motion in y, never the
// algorithmic ones, which differ from them by O(h).
class TimeStepperFormulation : public Formulation, public TimeStepper {
 public:
  Form form() const final { return Form::kTimeStepper; }
  TimeStepper* time_stepper() final { return this; }

  // Between fixed steps by cubic Hermite (methods/kinematics/hermite.h).
  bool interpolates() const final { return true; }
  Status Interpolate(double t, std::span<double> y) override = 0;

  // Of the state that it holds.
  using Formulation::Observe;
  Status Observe(Detail detail, Observation& observation) {
    return Observe(time(), y(), detail, observation);
  }
};

}  // namespace mbsbench
