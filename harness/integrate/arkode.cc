// ARKODE's explicit Runge-Kutta methods, with step control to a tolerance or with a fixed step.
#include <arkode/arkode_arkstep.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "harness/integrate/drivers.h"
#include "harness/integrate/event_locator.h"
#include "harness/integrate/step_sampler.h"

namespace mbsbench {

namespace {

// Below this fraction of the whole time a step no longer moves the solution: the integrator has
// come to a halt.
constexpr double kSmallestStep = 1e-14;

void Silent(int, const char*, const char*, char*, void*) {}  // failures are reported by value

// One ARKODE solver and what it holds on to.
class Solver {
 public:
  Solver(OdeFormulation& ode, ARKODE_ERKTableID table, double t, std::span<const double> y)
      : ode_(ode) {
    SUNContext_Create(nullptr, &context_);
    vector_ = N_VNew_Serial(static_cast<sunindextype>(y.size()), context_);
    Copy(y);
    memory_ = ARKStepCreate(Evaluate, nullptr, t, vector_, context_);
    ARKStepSetErrHandlerFn(memory_, Silent, nullptr);
    ARKStepSetTableNum(memory_, ARKODE_DIRK_NONE, table);
    // Nothing is interpolated here, and Hermite's interpolant would cost one more evaluation per step.
    ARKStepSetInterpolantType(memory_, ARK_INTERP_LAGRANGE);
    ARKStepSetInterpolantDegree(memory_, 1);
    ARKStepSetUserData(memory_, this);
    if (ode.has_projection()) ARKStepSetPostprocessStepFn(memory_, Project);
  }
  ~Solver() {
    ARKStepFree(&memory_);
    N_VDestroy(vector_);
    SUNContext_Free(&context_);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  void* memory() { return memory_; }
  N_Vector vector() { return vector_; }
  std::span<double> y() {
    return {N_VGetArrayPointer(vector_), static_cast<std::size_t>(N_VGetLength(vector_))};
  }
  // What the last evaluation said; one that was said to be good is looked at only now, because to
  // look at each would cost time that is not the method's.
  Status last_status() const {
    if (!last_status_.ok() || last_ydot_ == nullptr) return last_status_;
    const std::span<const double> ydot{N_VGetArrayPointer(last_ydot_),
                                       static_cast<std::size_t>(N_VGetLength(last_ydot_))};
    return FiniteOr(ydot, "the derivative");
  }
  std::int64_t projections() const { return projections_; }

  // Back to (t, y), to go on with a first step of h.
  void Restart(double t, std::span<const double> y, double h, double end) {
    Copy(y);
    ARKStepReset(memory_, t, vector_);
    ARKStepSetInitStep(memory_, h);
    ARKStepSetStopTime(memory_, end);
  }

  // One step of exactly h from (t, y), apart from the run.
  bool SideStep(double t, std::span<const double> y, double h, std::span<double> out) {
    Copy(y);
    ARKStepReset(memory_, t, vector_);
    ARKStepSetFixedStep(memory_, h);
    double reached = t;
    const int flag = ARKStepEvolve(memory_, t + h, vector_, &reached, ARK_ONE_STEP);
    std::copy_n(this->y().begin(), out.size(), out.begin());
    return flag >= 0;
  }

 private:
  void Copy(std::span<const double> y) { std::copy(y.begin(), y.end(), this->y().begin()); }

  static int Evaluate(double t, N_Vector y, N_Vector ydot, void* self) {
    auto* const solver = static_cast<Solver*>(self);
    const auto n = static_cast<std::size_t>(N_VGetLength(y));
    solver->last_ydot_ = ydot;
    solver->last_status_ =
        solver->ode_.Evaluate(t, {N_VGetArrayPointer(y), n}, {N_VGetArrayPointer(ydot), n});
    return solver->last_status_.ok() ? 0 : 1;  // recoverable: a shorter step may avoid the place
  }
  static int Project(double t, N_Vector y, void* self) {
    auto* const solver = static_cast<Solver*>(self);
    ++solver->projections_;
    return solver->ode_
                   .Project(t, {N_VGetArrayPointer(y), static_cast<std::size_t>(N_VGetLength(y))})
                   .ok()
               ? 0
               : 1;
  }

  OdeFormulation& ode_;
  SUNContext context_ = nullptr;
  N_Vector vector_ = nullptr;
  void* memory_ = nullptr;
  Status last_status_;
  N_Vector last_ydot_ = nullptr;  // one of ARKODE's own, which live as long as it does
  std::int64_t projections_ = 0;
};

}  // namespace

IntegrationReport RunArkode(OdeFormulation& ode, const SystemState& state,
                            const IntegrationSettings& settings, const Sampling& sampling) {
  const ARKODE_ERKTableID table =
      settings.integrator == "fehlberg8" ? ARKODE_FEHLBERG_13_7_8 : ARKODE_DORMAND_PRINCE_7_4_5;
  IntegrationReport report;
  std::vector<double> y(ode.state_size());
  if (Status s = ode.Initialise(0, state, y); !s.ok()) {
    Stop(s, 0, report);
    report.end_state = y;
    return report;
  }
  const double end = settings.end_time;
  const bool fixed = settings.step > 0;
  // Behind an event the solver is a new one, for another state; its first step has the length that
  // the next one would have had. A fixed step starts its grid anew.
  std::unique_ptr<Solver> solver, side, event_side;
  double step = 0;
  const auto prepare = [&](double t) {
    solver = std::make_unique<Solver>(ode, table, t, y);
    side.reset();  // made only where samples and events ask for them
    event_side.reset();
    void* const memory = solver->memory();
    if (fixed) {
      ARKStepSetFixedStep(memory, settings.step);
    } else {
      ARKStepSStolerances(memory, settings.tolerance, settings.tolerance);
      ARKStepSetMinStep(memory, kSmallestStep * end);
      if (step > 0) ARKStepSetInitStep(memory, std::min(step, end - t));
    }
    ARKStepSetStopTime(memory, end);
  };
  const auto count = [&](Solver& done, bool of_run) {
    long attempts = 0, explicit_evaluations = 0, implicit_evaluations = 0, error_failures = 0;
    ARKStepGetNumStepAttempts(done.memory(), &attempts);
    ARKStepGetNumRhsEvals(done.memory(), &explicit_evaluations, &implicit_evaluations);
    ARKStepGetNumErrTestFails(done.memory(), &error_failures);
    report.counters.evaluations += explicit_evaluations;
    if (!of_run) return;
    report.counters.rejected_steps += attempts;
    report.counters.error_test_failures += error_failures;
    report.counters.projections += done.projections();
  };
  const auto side_step = [&](std::unique_ptr<Solver>& by, double t, std::span<const double> from,
                             double h, std::span<double> out) {
    if (!by) by = std::make_unique<Solver>(ode, table, t, from);
    return by->SideStep(t, from, h, out);
  };
  prepare(0);
  StepSampler sampler(ode, sampling, end,
                      [&](double t, std::span<const double> from, double h, std::span<double> out) {
                        if (!side_step(side, t, from, h, out))
                          std::fill(out.begin(), out.end(), NAN);
                      });
  sampler.Start(0, y);
  EventLocator locator(
      ode, [&](double t, std::span<const double> from, double h, std::span<double> out) {
        return side_step(event_side, t, from, h, out);
      });
  locator.Start(0, y);

  double t = 0;
  int flag = ARK_SUCCESS;
  std::int64_t steps = 0;
  bool finite = true, lost_event = false, stopped = false;
  while (t < end && finite && steps < settings.step_limit) {
    double reached = t;
    flag = ARKStepEvolve(solver->memory(), end, solver->vector(), &reached, ARK_ONE_STEP);
    if (flag == ARK_UNREC_RHSFUNC_ERR && !fixed) {
      // ARKODE gives up on an explicit step whose stage cannot be evaluated; a shorter one may
      // avoid the place.
      double h = 0;
      ARKStepGetCurrentStep(solver->memory(), &h);
      h = 0.1 * std::min(std::abs(h), end - t);
      if (h < kSmallestStep * end) break;
      solver->Restart(t, y, h, end);
      continue;
    }
    if (flag < 0) break;
    ++steps;
    const std::span<const double> now = solver->y();
    finite = std::all_of(now.begin(), now.end(), [](double v) { return std::isfinite(v); });
    if (!finite) {
      t = reached;
      break;
    }
    const EventLocator::Found& found = locator.Find(t, y, reached, now);
    if (found.failed) {
      lost_event = true;
      break;
    }
    if (found.events.empty()) {
      sampler.Step(t, y, reached, now);
      std::copy(now.begin(), now.end(), y.begin());
      t = reached;
      if (flag == ARK_TSTOP_RETURN) break;
      continue;
    }
    sampler.Step(t, y, found.time, locator.state());
    y.assign(locator.state().begin(), locator.state().end());
    ARKStepGetCurrentStep(solver->memory(), &step);
    count(*solver, true);
    if (event_side) count(*event_side, false);
    t = found.time;
    stopped = !TakePlace(ode, found, sampling, sampler, y, report);
    prepare(t);
    if (stopped) break;
    locator.Start(t, y);
  }
  count(*solver, true);
  if (event_side) count(*event_side, false);
  report.counters.steps = steps;
  report.counters.rejected_steps -= steps;  // of all attempts
  report.time_reached = t;
  report.work = sampler.work();
  const std::span<const double> last = solver->y();
  report.end_state.assign(last.begin(), last.end());
  if (stopped) return report;

  using Outcome = IntegrationReport::Outcome;
  if (!finite) {
    report.outcome = Outcome::kDiverged;
    report.reason = fmt::format("the state is not finite at t = {:.9g} s", t);
  } else if (lost_event) {
    report.outcome = Outcome::kDiverged;
    report.reason = LostEvent(t);
  } else if (const Status last_status = solver->last_status(); flag < 0 && !last_status.ok()) {
    Stop(last_status, t, report);
  } else if (flag == ARK_ERR_FAILURE || flag == ARK_TOO_CLOSE) {
    report.outcome = Outcome::kIntegratorFailed;
    report.reason =
        fmt::format("the step size collapsed at t = {:.9g} s: the tolerance {:g} cannot be met", t,
                    settings.tolerance);
  } else if (flag < 0) {
    report.outcome = Outcome::kIntegratorFailed;
    const std::unique_ptr<char, decltype(&std::free)> name(ARKStepGetReturnFlagName(flag),
                                                           &std::free);
    report.reason = fmt::format("ARKODE stopped at t = {:.9g} s ({})", t, name.get());
  } else if (t < end) {
    report.outcome = Outcome::kIntegratorFailed;
    report.reason =
        fmt::format("{} steps did not reach the end: t = {:.9g} of {:.9g} s", steps, t, end);
  }
  return report;
}

}  // namespace mbsbench
