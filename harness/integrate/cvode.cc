// CVODE on y' = f(t, y): Adams-Moulton of orders 1 to 12 by fixed-point iteration for what is not stiff, BDF of orders
// 1 to 5 by Newton's iteration for what is. A formulation brings no Jacobian of f: BDF takes difference quotients, dense where the
// state is small, by matrix-free GMRES where it is large.
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>

#include "harness/integrate/drivers.h"
#include "harness/integrate/multistep_sampler.h"

namespace mbsbench {

namespace {

// Largest state whose Jacobian is held dense: beyond it n evaluations and n^3 operations outweigh Krylov's iterations.
constexpr std::size_t kLargestDense = 400;
constexpr double kSmallestStep = 1e-14;  // of the end time: below it there is no progress

class CvodeRun {
 public:
  CvodeRun(OdeFormulation& ode, const IntegrationSettings& settings, const Sampling& sampling)
      : ode_(ode),
        settings_(settings),
        size_(ode.state_size()),
        sampler_(ode, sampling, [this](double t, std::span<double> y) {
          CVodeGetDky(cvode_, t, 0, interpolated_);
          std::copy_n(N_VGetArrayPointer(interpolated_), y.size(), y.begin());
        }) {
    SUNContext_Create(nullptr, &context_);
    y_ = N_VNew_Serial(static_cast<sunindextype>(size_), context_);
    interpolated_ = N_VClone(y_);
  }
  ~CvodeRun() {
    CVodeFree(&cvode_);
    if (linear_solver_ != nullptr) SUNLinSolFree(linear_solver_);
    if (fixed_point_ != nullptr) SUNNonlinSolFree(fixed_point_);
    if (matrix_ != nullptr) SUNMatDestroy(matrix_);
    N_VDestroy(y_);
    N_VDestroy(interpolated_);
    SUNContext_Free(&context_);
  }
  CvodeRun(const CvodeRun&) = delete;
  CvodeRun& operator=(const CvodeRun&) = delete;

  IntegrationReport Run(const SystemState& state) {
    if (Status s = ode_.Initialise(0, state, View(y_)); !s.ok()) {
      Stop(s, 0, report_);
    } else {
      SetUp();
      Advance();
      FillCounters();
    }
    report_.time_reached = time_;
    report_.work = sampler_.work();
    report_.end_state.assign(View(y_).begin(), View(y_).end());
    return std::move(report_);
  }

 private:
  std::span<double> View(N_Vector v) const { return {N_VGetArrayPointer(v), size_}; }

  static int Evaluate(double t, N_Vector y, N_Vector ydot, void* self) {
    auto& run = *static_cast<CvodeRun*>(self);
    run.last_ydot_ = ydot;
    run.last_status_ = run.ode_.Evaluate(t, run.View(y), run.View(ydot));
    return run.last_status_.ok() ? 0 : 1;  // recoverable: a shorter step may avoid the place
  }
  static int Project(double t, N_Vector y, N_Vector correction, double, N_Vector, void* self) {
    auto& run = *static_cast<CvodeRun*>(self);
    const std::span<double> to = run.View(correction);
    const std::span<const double> from = run.View(y);
    std::copy(from.begin(), from.end(), to.begin());
    ++run.report_.counters.projections;
    run.last_status_ = run.ode_.Project(t, to);
    if (!run.last_status_.ok()) return 1;  // recoverable, as above
    for (std::size_t i = 0; i < to.size(); ++i) to[i] -= from[i];
    return 0;
  }
  static void Silent(int, const char*, const char*, char*, void*) {}

  void SetUp() {
    const bool adams = settings_.integrator == "cvode-adams";
    cvode_ = CVodeCreate(adams ? CV_ADAMS : CV_BDF, context_);
    CVodeSetErrHandlerFn(cvode_, Silent, nullptr);
    CVodeInit(cvode_, Evaluate, 0, y_);
    CVodeSetUserData(cvode_, this);
    CVodeSStolerances(cvode_, settings_.tolerance, settings_.tolerance);
    CVodeSetMaxNumSteps(cvode_, -1);  // counted by Advance
    CVodeSetMinStep(cvode_, kSmallestStep * settings_.end_time);
    CVodeSetStopTime(cvode_, settings_.end_time);
    if (ode_.needs_projection()) {
      CVodeSetProjFn(cvode_, Project);
      // The error that is tested is the integrator's own, with its part across the constraints.
      CVodeSetProjErrEst(cvode_, SUNFALSE);
    }
    if (adams) {
      fixed_point_ = SUNNonlinSol_FixedPoint(y_, 0, context_);
      CVodeSetNonlinearSolver(cvode_, fixed_point_);
    } else if (size_ <= kLargestDense) {
      const auto n = static_cast<sunindextype>(size_);
      matrix_ = SUNDenseMatrix(n, n, context_);
      linear_solver_ = SUNLinSol_Dense(y_, matrix_, context_);
      CVodeSetLinearSolver(cvode_, linear_solver_, matrix_);
    } else {
      linear_solver_ = SUNLinSol_SPGMR(y_, SUN_PREC_NONE, 0, context_);
      CVodeSetLinearSolver(cvode_, linear_solver_, nullptr);
    }
  }

  void Advance() {
    using Outcome = IntegrationReport::Outcome;
    sampler_.Start(View(y_));
    for (std::int64_t step = 0; time_ < settings_.end_time; ++step) {
      if (step == settings_.step_limit) {
        report_.outcome = Outcome::kIntegratorFailed;
        report_.reason = fmt::format("{} steps did not reach the end: t = {:.9g} of {:.9g} s", step,
                                     time_, settings_.end_time);
        return;
      }
      double reached = time_;
      const int flag = CVode(cvode_, settings_.end_time, y_, &reached, CV_ONE_STEP);
      if (flag < 0) return Fail(flag);
      time_ = reached;
      const std::span<const double> y = View(y_);
      if (!std::all_of(y.begin(), y.end(), [](double v) { return std::isfinite(v); })) {
        report_.outcome = Outcome::kDiverged;
        report_.reason = fmt::format("the state is not finite at t = {:.9g} s", time_);
        return;
      }
      sampler_.Step(time_);
    }
  }

  void Fail(int flag) {
    using Outcome = IntegrationReport::Outcome;
    // Looked at only now, because to look at each derivative would cost time that is not the
    // method's.
    if (last_status_.ok() && last_ydot_ != nullptr)
      last_status_ = FiniteOr(View(last_ydot_), "the derivative");
    if (!last_status_.ok()) return Stop(last_status_, time_, report_);
    report_.outcome = flag == CV_CONV_FAILURE ? Outcome::kNewtonFailed : Outcome::kIntegratorFailed;
    const char* why = flag == CV_CONV_FAILURE
                          ? "the nonlinear iteration does not converge, however short the step"
                      : flag == CV_ERR_FAILURE
                          ? "the step size collapsed: the tolerance cannot be met"
                      : flag == CV_TOO_MUCH_ACC ? "the tolerance is below round-off"
                                                : "CVODE reports an internal failure";
    report_.reason = fmt::format("stopped at t = {:.9g} s: {} (flag {})", time_, why, flag);
  }

  void FillCounters() {
    long steps = 0, evaluations = 0, for_jacobian = 0, error_failures = 0, iterations = 0,
         convergence_failures = 0, jacobians = 0, setups = 0;
    CVodeGetNumSteps(cvode_, &steps);
    CVodeGetNumRhsEvals(cvode_, &evaluations);
    CVodeGetNumErrTestFails(cvode_, &error_failures);
    CVodeGetNumNonlinSolvIters(cvode_, &iterations);
    CVodeGetNumNonlinSolvConvFails(cvode_, &convergence_failures);
    if (linear_solver_ != nullptr) {
      CVodeGetNumLinRhsEvals(cvode_, &for_jacobian);
      CVodeGetNumJacEvals(cvode_, &jacobians);
      CVodeGetNumLinSolvSetups(cvode_, &setups);
    }
    WorkCounters& c = report_.counters;
    c.steps = steps;
    c.rejected_steps = error_failures + convergence_failures;
    c.evaluations = evaluations + for_jacobian;
    c.jacobians = jacobians;
    c.newton_iterations = iterations;
    c.factorisations = matrix_ != nullptr ? setups : 0;
    c.error_test_failures = error_failures;
    c.convergence_failures = convergence_failures;
  }

  OdeFormulation& ode_;
  const IntegrationSettings& settings_;
  std::size_t size_;
  MultistepSampler sampler_;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr, interpolated_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_solver_ = nullptr;
  SUNNonlinearSolver fixed_point_ = nullptr;
  void* cvode_ = nullptr;
  Status last_status_;
  N_Vector last_ydot_ = nullptr;  // one of CVODE's own, which live as long as it does
  double time_ = 0;
  IntegrationReport report_;
};

}  // namespace

IntegrationReport RunCvode(OdeFormulation& ode, const SystemState& state,
                           const IntegrationSettings& settings, const Sampling& sampling) {
  return CvodeRun(ode, settings, sampling).Run(state);
}

}  // namespace mbsbench
