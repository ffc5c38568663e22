// CVODE on y' = f(t, y): Adams-Moulton of orders 1 to 12 by fixed-point iteration for what is not stiff, BDF of orders
// 1 to 5 by Newton's iteration for what is. BDF takes the formulation's exact Jacobian where there is one, else
// difference quotients; both dense, where the state is small. Where it is large, matrix-free GMRES takes difference quotients.
#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>

#include "harness/integrate/steppers.h"
#include "harness/integrate/sundials_memory.h"

namespace mbsbench {

namespace {

// Largest state with a dense Jacobian: beyond it n evaluations and n^3 operations cost more than Krylov iterations.
constexpr std::size_t kLargestDense = 400;
constexpr double kIterationTolerance = 0.1;  // of the error test, CVODE's default

class Cvode : public TimeStepper, public Interpolates, SundialsMemory {
 public:
  Cvode(OdeFormulation& ode, bool adams, double iteration_tolerance)
      : ode_(ode),
        adams_(adams),
        iteration_tolerance_(iteration_tolerance),
        size_(ode.state_size()) {
    if (Projects* const projection = ode.projection();
        projection != nullptr && projection->needs_projection())
      needed_ = projection;
    y_ = NewVector(size_);
    interpolated_ = NewVector(size_);
  }
  ~Cvode() override {
    CVodeFree(&cvode_);
    if (fixed_point_ != nullptr) SUNNonlinSolFree(fixed_point_);
  }

  Status Start(double t, const SystemState& state, const StepControl& control) override {
    time_ = t;
    const Status status = ode_.Initialise(t, state, View(y_));
    if (status.ok()) SetUp(control);
    return status;
  }

  StepReport Step(double limit) override {
    double reached = time_;
    CVodeSetStopTime(cvode_, limit);
    const int flag = CVode(cvode_, limit, y_, &reached, CV_ONE_STEP);
    if (flag < 0) return {FailureOf(flag)};
    time_ = reached;
    return {};
  }

  double time() const override { return time_; }
  std::span<const double> y() const override { return View(y_); }

  // CVODE's own polynomial.
  Interpolates* interpolation() override { return this; }
  Status Interpolate(double t, std::span<double> y) override {
    CVodeGetDky(cvode_, t, 0, interpolated_);
    std::ranges::copy(View(interpolated_), y.begin());
    return needed_ != nullptr ? needed_->ProjectSample(t, y) : Status{};
  }

  WorkCounters counters() const override {
    WorkCounters all = counters_;
    if (cvode_ == nullptr) return all;
    long steps = 0, error_failures = 0, iterations = 0, convergence_failures = 0, jacobians = 0,
         setups = 0;
    CVodeGetNumSteps(cvode_, &steps);
    CVodeGetNumErrTestFails(cvode_, &error_failures);
    CVodeGetNumNonlinSolvIters(cvode_, &iterations);
    CVodeGetNumNonlinSolvConvFails(cvode_, &convergence_failures);
    if (solver_ != nullptr) {
      CVodeGetNumJacEvals(cvode_, &jacobians);
      CVodeGetNumLinSolvSetups(cvode_, &setups);
    }
    all.steps += steps;
    all.rejected_steps += error_failures + convergence_failures;
    all.jacobians += jacobians;
    all.newton_iterations += iterations;
    all.factorisations += matrix_ != nullptr ? setups : 0;
    all.error_test_failures += error_failures;
    all.convergence_failures += convergence_failures;
    return all;
  }

  // After a break point the history is useless.
  void Restart(double t, std::span<const double> y) override {
    counters_ = counters();  // before CVODE resets its counts
    ++counters_.restarts;
    time_ = t;
    std::ranges::copy(y, View(y_).begin());
    CVodeReInit(cvode_, t, y_);
  }

 private:
  static int Evaluate(double t, N_Vector y, N_Vector ydot, void* self) {
    auto& run = *static_cast<Cvode*>(self);
    ++run.counters_.evaluations;
    run.last_ydot_ = ydot;
    run.last_status_ = run.ode_.Evaluate(t, run.View(y), run.View(ydot));
    return run.last_status_.ok() ? 0 : 1;  // recoverable: a shorter step may avoid this state
  }
  static int Project(double t, N_Vector y, N_Vector correction, double, N_Vector, void* self) {
    auto& run = *static_cast<Cvode*>(self);
    const std::span<double> to = run.View(correction);
    const std::span<const double> from = run.View(y);
    std::copy(from.begin(), from.end(), to.begin());
    ++run.counters_.projections;
    run.last_status_ = run.needed_->Project(t, to);
    if (!run.last_status_.ok()) return 1;  // recoverable, as above
    for (std::size_t i = 0; i < to.size(); ++i) to[i] -= from[i];
    return 0;
  }
  static int Differentiate(double t, N_Vector y, N_Vector, SUNMatrix matrix, void* self, N_Vector,
                           N_Vector, N_Vector) {
    auto& run = *static_cast<Cvode*>(self);
    run.last_status_ = run.exact_->Jacobian(
        t, run.View(y), {SM_DATA_D(matrix), static_cast<std::size_t>(SM_LDATA_D(matrix))});
    return run.last_status_.ok() ? 0 : 1;  // recoverable, as above
  }

  void SetUp(const StepControl& control) {
    cvode_ = CVodeCreate(adams_ ? CV_ADAMS : CV_BDF, context_);
    CVodeSetErrHandlerFn(cvode_, Silent, nullptr);
    CVodeInit(cvode_, Evaluate, time_, y_);
    CVodeSetUserData(cvode_, this);
    N_Vector absolute = NewVector(size_);
    std::ranges::transform(ToleranceScales(ode_, control), N_VGetArrayPointer(absolute),
                           [&](double scale) { return scale * control.tolerance; });
    CVodeSVtolerances(cvode_, control.tolerance, absolute);
    CVodeSetMaxNumSteps(cvode_, -1);  // counted by the loop over steps
    CVodeSetMinStep(cvode_, kSmallestStep * control.end_time);
    CVodeSetNonlinConvCoef(cvode_, kIterationTolerance * iteration_tolerance_);
    if (iteration_tolerance_ < 1) CVodeSetMaxNonlinIters(cvode_, kMostTighterIterations);
    if (needed_ != nullptr) {
      CVodeSetProjFn(cvode_, Project);
      // The error test uses the integrator's own error, including its part normal to the constraints.
      CVodeSetProjErrEst(cvode_, SUNFALSE);
    }
    if (adams_) {
      fixed_point_ = SUNNonlinSol_FixedPoint(y_, 0, context_);
      CVodeSetNonlinearSolver(cvode_, fixed_point_);
    } else if (size_ <= kLargestDense) {
      const auto n = static_cast<sunindextype>(size_);
      matrix_ = SUNDenseMatrix(n, n, context_);
      solver_ = SUNLinSol_Dense(y_, matrix_, context_);
      CVodeSetLinearSolver(cvode_, solver_, matrix_);
      if (exact_ != nullptr) CVodeSetJacFn(cvode_, Differentiate);
    } else {
      solver_ = SUNLinSol_SPGMR(y_, SUN_PREC_NONE, 0, context_);
      CVodeSetLinearSolver(cvode_, solver_, nullptr);
    }
  }

  Status FailureOf(int flag) const {
    // Checked only here, because checking every derivative would cost time that is not the method's.
    if (!last_status_.ok()) return last_status_;
    if (last_ydot_ != nullptr) {
      if (const Status s = FiniteOr(View(last_ydot_), "the derivative"); !s.ok()) return s;
    }
    if (flag == CV_CONV_FAILURE) {
      return {Status::Code::kNotConverged, -1, -1,
              "the nonlinear iteration does not converge, however short the step"};
    }
    return {Status::Code::kStepFailed, -1, -1,
            flag == CV_ERR_FAILURE    ? "the step size collapsed: the tolerance cannot be met"
            : flag == CV_TOO_MUCH_ACC ? "the tolerance is below round-off"
                                      : "CVODE reports an internal failure"};
  }

  OdeFormulation& ode_;
  OdeJacobian* const exact_ = ode_.jacobian();
  Projects* needed_ = nullptr;  // null: the solution stays on its constraints by itself
  bool adams_;
  double iteration_tolerance_;
  std::size_t size_;
  WorkCounters counters_;  // those that CVODE does not count
  N_Vector y_ = nullptr, interpolated_ = nullptr;
  SUNNonlinearSolver fixed_point_ = nullptr;
  void* cvode_ = nullptr;
  Status last_status_;
  N_Vector last_ydot_ = nullptr;  // one of CVODE's own, which live as long as it does
  double time_ = 0;
};

}  // namespace

std::unique_ptr<TimeStepper> MakeCvode(OdeFormulation& ode, std::string_view key,
                                       double iteration_tolerance) {
  return std::make_unique<Cvode>(ode, key == "cvode-adams", iteration_tolerance);
}

}  // namespace mbsbench
