// A scheme that advances a system step by step. Three kinds of code implement one: the integrators of
// the harness, for an ODE or a DAE; an engine, in addition to the ODE that it evaluates
// (Formulation::time_stepper); and a formulation without any y' = f(t, y), which is its own time
// stepper (TimeStepperFormulation).
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "methods/interface/formulation.h"

namespace mbsbench {

// The step size control of a run; exactly one of step and tolerance is above 0.
struct StepControl {
  double step = 0;  // of fixed length [s]
  // A bound of the local error of a step: relative, and absolute when multiplied by the scale of the Dimension.
  double tolerance = 0;
  double end_time = 0;          // [s]
  double length = 1, time = 1;  // L [m] and T [s] of these scales
};

// Exact work counts since the start, failed attempts and restarts included.
struct WorkCounters {
  std::int64_t steps = 0, rejected_steps = 0, evaluations = 0, jacobians = 0, newton_iterations = 0,
               factorisations = 0, error_test_failures = 0, convergence_failures = 0,
               projections = 0;
  std::int64_t restarts = 0;  // after an event, or with other settings after a failure
  // Counted by the harness; the latter by Formulation::inner_iterations.
  std::int64_t events = 0, inner_iterations = 0;
};

struct StepReport {
  Status status;
  // Estimated local error of the step divided by the tolerance, or by the size of y if steps are
  // fixed; NaN: the scheme has no estimate.
  double error_estimate = std::numeric_limits<double>::quiet_NaN();
};

class TakesSideSteps;  // methods/growth/events.h

class TimeStepper {
 public:
  virtual ~TimeStepper() = default;

  // Starts at a consistent state and sets up all data that the scheme needs for this step or
  // tolerance (accelerations, multipliers, history). The counters start at zero.
  virtual Status Start(double t, const SystemState& state, const StepControl& control) = 0;

  // Advances by one step, not beyond `limit` [s]. Fixed steps end at multiples of the step after the
  // start (fixed_steps.h). A fixed step that does not converge fails as kNotConverged, with the body or
  // joint of the largest residual: it is neither halved nor accepted. On failure time() and y() remain
  // those of the last successful step.
  virtual StepReport Step(double limit) = 0;

  // The current time and state. y is a flat vector of the formulation with all data of the scheme.
  virtual double time() const = 0;
  virtual std::span<const double> y() const = 0;

  virtual WorkCounters counters() const = 0;

  // A restart at (t, y), where the equations have a break; only schemes with adaptive steps or side steps need it.
  virtual void Restart(double /*t*/, std::span<const double> /*y*/) {}

  // Optional abilities; null: it lacks this one. If an ODE has no dense output of its own, the harness interpolates.
  virtual Interpolates* interpolation() { return nullptr; }
  virtual TakesSideSteps* side_steps() { return nullptr; }  // to locate events
};

// A formulation that is its own time stepper, integrator key `own`. Its y contains all data of the
// scheme: [motion | accelerations | multipliers | history]. Initialise fills in the motion with
// consistent accelerations and multipliers; Start computes from it the data for one step length.
// The accelerations and reactions of Observe are those of the equations of motion at the motion in
// y, never the algorithmic ones, which differ from them by O(h).
class TimeStepperFormulation : public Formulation, public TimeStepper, public Interpolates {
 public:
  Form form() const final { return Form::kTimeStepper; }
  TimeStepper* time_stepper() final { return this; }

  // Between fixed steps by cubic Hermite interpolation (methods/kinematics/hermite.h).
  Interpolates* interpolation() final { return this; }

  // Observation of the current state.
  using Formulation::Observe;
  Status Observe(Detail detail, Observation& observation) {
    return Observe(time(), y(), detail, observation);
  }
};

}  // namespace mbsbench
