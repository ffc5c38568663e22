// ARKODE's explicit Runge-Kutta methods, with step control to a tolerance or with a fixed step.
#include <arkode/arkode_arkstep.h>

#include <algorithm>
#include <cmath>

#include "harness/integrate/steppers.h"
#include "harness/integrate/sundials_memory.h"
#include "methods/growth/events.h"

namespace mbsbench {

namespace {

// One ARKODE solver and the memory that it uses.
class Solver : SundialsMemory {
 public:
  Solver(OdeFormulation& ode, ARKODE_ERKTableID table, double t, std::span<const double> y,
         WorkCounters& counters)
      : ode_(ode), projection_(ode.projection()), counters_(counters) {
    vector_ = NewVector(y.size());
    Copy(y);
    memory_ = ARKStepCreate(Evaluate, nullptr, t, vector_, context_);
    ARKStepSetErrHandlerFn(memory_, Silent, nullptr);
    ARKStepSetTableNum(memory_, ARKODE_DIRK_NONE, table);
    // Nothing is interpolated here, and Hermite's interpolant would cost one more evaluation per step.
    ARKStepSetInterpolantType(memory_, ARK_INTERP_LAGRANGE);
    ARKStepSetInterpolantDegree(memory_, 1);
    ARKStepSetUserData(memory_, this);
    if (projection_ != nullptr) ARKStepSetPostprocessStepFn(memory_, Project);
  }
  ~Solver() { ARKStepFree(&memory_); }

  void* memory() { return memory_; }
  N_Vector vector() { return vector_; }
  std::span<double> y() { return View(vector_); }
  // The status of the last evaluation. Its values are checked only here, because checking every evaluation
  // would cost time that is not the method's.
  Status last_status() const {
    if (!last_status_.ok() || last_ydot_ == nullptr) return last_status_;
    return FiniteOr(View(last_ydot_), "the derivative");
  }

  // Returns to (t, y) and continues with a first step of h.
  void Restart(double t, std::span<const double> y, double h, double end) {
    Copy(y);
    ARKStepReset(memory_, t, vector_);
    ARKStepSetInitStep(memory_, h);
    ARKStepSetStopTime(memory_, end);
  }

  // One step of exactly h from (t, y) that is not part of the run.
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
    ++solver->counters_.evaluations;
    solver->last_ydot_ = ydot;
    solver->last_status_ = solver->ode_.Evaluate(t, View(y), View(ydot));
    return solver->last_status_.ok() ? 0 : 1;  // recoverable: a shorter step may avoid this state
  }
  static int Project(double t, N_Vector y, void* self) {
    auto* const solver = static_cast<Solver*>(self);
    ++solver->counters_.projections;
    return solver->projection_->Project(t, View(y)).ok() ? 0 : 1;
  }

  OdeFormulation& ode_;
  Projects* const projection_;
  WorkCounters& counters_;
  N_Vector vector_ = nullptr;
  void* memory_ = nullptr;
  Status last_status_;
  N_Vector last_ydot_ = nullptr;  // one of ARKODE's own, which live as long as it does
};

// After an event a new solver is made for the new state. Its first step has the length that the next step would
// have had. Fixed steps start a new grid.
class Arkode : public TimeStepper, public TakesSideSteps {
 public:
  Arkode(OdeFormulation& ode, ARKODE_ERKTableID table) : ode_(ode), table_(table) {}

  Status Start(double t, const SystemState& state, const StepControl& control) override {
    control_ = control;
    counters_ = {};
    step_ = 0;
    y_.resize(ode_.state_size());
    const Status status = ode_.Initialise(t, state, y_);
    Prepare(t);
    return status;
  }

  StepReport Step(double limit) override {
    double reached = time_;
    int flag = ARK_SUCCESS;
    ARKStepSetStopTime(solver_->memory(), limit);
    for (;;) {
      flag = ARKStepEvolve(solver_->memory(), limit, solver_->vector(), &reached, ARK_ONE_STEP);
      if (flag != ARK_UNREC_RHSFUNC_ERR || control_.step > 0) break;
      // ARKODE stops if a stage of an explicit step cannot be evaluated; a shorter step may avoid that state.
      double h = 0;
      ARKStepGetCurrentStep(solver_->memory(), &h);
      h = 0.1 * std::min(std::abs(h), limit - time_);
      if (h < kSmallestStep * limit) break;
      solver_->Restart(time_, y_, h, limit);
    }
    if (flag < 0) return {FailureOf(flag)};
    ++counters_.steps;
    --counters_.rejected_steps;  // attempts less accepted steps
    time_ = flag == ARK_TSTOP_RETURN ? limit : reached;
    std::ranges::copy(solver_->y(), y_.begin());
    return {};
  }

  double time() const override { return time_; }
  std::span<const double> y() const override { return y_; }
  WorkCounters counters() const override {
    long attempts = 0, error_failures = 0;
    ARKStepGetNumStepAttempts(solver_->memory(), &attempts);
    ARKStepGetNumErrTestFails(solver_->memory(), &error_failures);
    WorkCounters all = counters_;
    all.rejected_steps += attempts;
    all.error_test_failures += error_failures;
    return all;
  }

  TakesSideSteps* side_steps() override { return this; }
  Status SideStep(double t, std::span<const double> y, double h, std::span<double> out) override {
    if (!side_) side_ = std::make_unique<Solver>(ode_, table_, t, y, counters_);
    if (side_->SideStep(t, y, h, out)) return {};
    return {Status::Code::kStepFailed, -1, -1, "a step to an event fails"};
  }
  void Restart(double t, std::span<const double> y) override {
    ARKStepGetCurrentStep(solver_->memory(), &step_);
    counters_ = counters();
    ++counters_.restarts;
    y_.assign(y.begin(), y.end());
    Prepare(t);
  }

 private:
  void Prepare(double t) {
    time_ = t;
    solver_ = std::make_unique<Solver>(ode_, table_, t, y_, counters_);
    side_.reset();
    void* const memory = solver_->memory();
    if (control_.step > 0) {
      ARKStepSetFixedStep(memory, control_.step);
    } else {
      N_Vector absolute = N_VClone(solver_->vector());
      std::ranges::transform(ToleranceScales(ode_, control_), N_VGetArrayPointer(absolute),
                             [this](double scale) { return scale * control_.tolerance; });
      ARKStepSVtolerances(memory, control_.tolerance, absolute);  // ARKODE copies it
      N_VDestroy(absolute);
      ARKStepSetMinStep(memory, kSmallestStep * control_.end_time);
      if (step_ > 0) ARKStepSetInitStep(memory, std::min(step_, control_.end_time - t));
    }
  }

  Status FailureOf(int flag) const {
    if (const Status status = solver_->last_status(); !status.ok()) return status;
    const bool collapsed = flag == ARK_ERR_FAILURE || flag == ARK_TOO_CLOSE;
    return {Status::Code::kStepFailed, -1, -1,
            collapsed ? "the step size collapsed: the tolerance cannot be met"
                      : "ARKODE reports an internal failure"};
  }

  OdeFormulation& ode_;
  ARKODE_ERKTableID table_;
  StepControl control_;
  WorkCounters counters_;  // without those of the solver that runs
  std::unique_ptr<Solver> solver_, side_;
  double time_ = 0, step_ = 0;  // first step of the next solver; 0: its own choice
  std::vector<double> y_;
};

}  // namespace

std::unique_ptr<TimeStepper> MakeArkode(OdeFormulation& ode, std::string_view key) {
  return std::make_unique<Arkode>(
      ode, key == "fehlberg8" ? ARKODE_FEHLBERG_13_7_8 : ARKODE_DORMAND_PRINCE_7_4_5);
}

}  // namespace mbsbench
