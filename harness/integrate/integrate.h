// Advances a formulation from a consistent initial state to the end time, or solves an algebraic one
// from it as a guess: the only door to SUNDIALS.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/records/integration_record.h"
#include "methods/interface/time_stepper.h"

namespace mbsbench {

struct IntegratorEntry {
  std::string key;    // "dopri5"
  std::string title;  // "Dormand-Prince 5(4), ARKODE"
  Form form;          // the form it integrates
  bool fixed_step;    // can run with a fixed step
  bool adaptive;      // can run to a tolerance
  int order;          // classical order; 0: variable
  bool finds_events;  // integrates formulations that have events
  // Why it cannot project onto constraints after a step; empty where it can.
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
  // Times inside (0, end) where a derivative of the equations jumps, ascending [s]: steps to a tolerance
  // end there, and the scheme restarts there. Fixed steps keep their grid.
  std::vector<double> break_points = {};
  // Of CVODE and IDA, times the part of the error test at which their iterations stop. Below 1 they may
  // take more iterations for it.
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
  Status failure;      // where an evaluation failed, so that the caller can name the joint or body;
                       // else ok
  double time_reached = 0;
  WorkCounters counters;
  std::vector<ChangedSetting> changed_settings;
  std::optional<double> largest_error_estimate;  // of a step, where the scheme estimates any
  std::vector<double> end_state;                 // y at time_reached
  double work = 0;                               // integral of Power, where asked for [J]
  bool ended_by_event = false;                   // before the end time
  // Break points that lie inside a fixed step, where the order of the scheme is lost [s].
  std::vector<double> break_points_inside_steps;
  // Of an algebraic formulation, whose end_state is the last iterate: f there, the largest scaled residual at
  // the guess and after each iteration, and the largest change of an unknown in each iteration.
  std::vector<double> residual, residual_history, step_history;

  bool ok() const { return outcome == Outcome::kOk; }
};

// Gets (time, y) at each sample time. At the end of a step that is the state there. Between fixed
// steps it is the cubic Hermite interpolant of y and f at both ends; between the steps of adaptive
// integrators their own dense output; both projected where the steps are. Samples never change the
// steps taken.
// A sample at the very time of an event is taken before it. Work counts what events take or bring.
using SampleSink = std::function<void(double time, std::span<const double> y, double work)>;

// Sees each event from both sides: the state at its time, and then the state after it. What the second returns is
// counted as work [J].
struct EventSink {
  std::function<void(double time, std::span<const double> y)> before = {};
  std::function<double(const PastEvent& event, std::span<const double> y)> after = {};
};

// `state` is the consistent state at time 0. With no sample times and no sink this is the timed
// trial.
struct Sampling {
  std::vector<double> times;
  SampleSink sink;
  bool integrate_power = false;
  EventSink event_sink = {};
};
IntegrationReport Integrate(Formulation& formulation, const SystemState& state,
                            const IntegrationSettings& settings, const Sampling& sampling = {});

}  // namespace mbsbench
