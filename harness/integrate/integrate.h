// Advances a formulation from a consistent initial state to the end time, or solves an algebraic one
// with that state as the guess. Only this room uses SUNDIALS.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/records/integration_record.h"
#include "methods/growth/events.h"
#include "methods/interface/time_stepper.h"

namespace mbsbench {

struct IntegratorEntry {
  std::string key;    // "dopri5"
  std::string title;  // "Dormand-Prince 5(4), ARKODE"
  Form form;          // the form it integrates
  bool fixed_step;    // can run with a fixed step
  bool adaptive;      // can run to a tolerance
  int order;          // classical order; 0: variable
  // Why it cannot project onto constraints after a step; empty: it can.
  std::string no_projection = "";
  bool iterates = false;  // up to a tolerance that IntegrationSettings::iteration_tolerance changes
};
const std::vector<IntegratorEntry>& AllIntegrators();
const IntegratorEntry* FindIntegrator(std::string_view key);

struct IntegrationSettings {
  std::string integrator;  // key
  double end_time = 1;     // [s]; starts at 0
  // > 0 for adaptive integration, relative, and absolute times the scales of the entries of y (Dimension);
  // of the scaled residuals of algebraic equations.
  double tolerance = 0;
  double length = 1, time = 1;  // L [m] and T [s] of these scales
  double step = 0;              // > 0 for a fixed step [s]; exactly one of the two is set
  std::int64_t step_limit = 100'000'000;
  // Times in (0, end) at which a derivative of the equations jumps, ascending [s]. Adaptive steps end there,
  // and the scheme restarts there. Fixed steps keep their grid.
  std::vector<double> break_points = {};
  // Factor on the part of the error test at which the iterations of CVODE and IDA stop. Below 1 they may take
  // more iterations.
  double iteration_tolerance = 1;
};

// An event that took place.
struct PastEvent {
  double time = 0;  // [s]
  EventReport report;
};

struct IntegrationReport {
  enum class Outcome { kOk, kSingular, kDiverged, kNewtonFailed, kIntegratorFailed };
  Outcome outcome = Outcome::kOk;
  std::string reason;  // sentence with the time where it stopped
  Status failure;      // of a failed evaluation, so that the caller can name the joint or body;
                       // else ok
  double time_reached = 0;
  WorkCounters counters;
  std::vector<ChangedSetting> changed_settings;
  std::optional<double> largest_error_estimate;  // of a step, where the scheme estimates any
  std::vector<double> end_state;                 // y at time_reached
  double work = 0;                               // integral of Power, if requested [J]
  Status uninterpolated;  // of the first sample that the dense output left NaN; else ok
  // Break points inside a fixed step, at which the scheme loses its order [s].
  std::vector<double> break_points_inside_steps;
  // An algebraic formulation, whose end_state is the last iterate, has f there, the largest scaled residual at
  // the guess and after each iteration, and the largest change of an unknown in each iteration.
  std::vector<double> residual, residual_history, step_history;

  bool ok() const { return outcome == Outcome::kOk; }
};

// Receives (time, y) at each sample time. At the end of a step y is the state there. Within a fixed step it is
// the cubic Hermite interpolant of y and f at both ends; within a step of an adaptive integrator it is the
// integrator's own dense output. Both are projected if the steps are. Samples never change the steps.
// A sample at the time of an event is taken before the event. Work includes the work of events.
using SampleSink = std::function<void(double time, std::span<const double> y, double work)>;

// Receives the states before and after each event. The return value of `after` is counted as work [J].
struct EventSink {
  std::function<void(double time, std::span<const double> y)> before = {};
  std::function<double(const PastEvent& event, std::span<const double> y)> after = {};
};

// `state` is the consistent state at time 0. Without sample times and sink this is the timed trial.
struct Sampling {
  std::vector<double> times;
  SampleSink sink;
  bool integrate_power = false;
  EventSink event_sink = {};
  // Receives the state at the end of each step, after the samples up to there.
  std::function<void(double time, std::span<const double> y)> step_sink = {};
};
IntegrationReport Integrate(Formulation& formulation, const SystemState& state,
                            const IntegrationSettings& settings, const Sampling& sampling = {});

}  // namespace mbsbench
