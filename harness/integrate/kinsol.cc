// KINSOL's Newton iteration, undamped.
//
// The matrix is the sparse one of the formulation, which has auxiliary unknowns after those of z. KINSOL's vectors have its
// size: the residuals of the auxiliary unknowns are zero, and nothing depends on their values.
#include <fmt/format.h>
#include <kinsol/kinsol.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>

#include "harness/integrate/steady_state.h"
#include "harness/integrate/steppers.h"
#include "harness/integrate/sundials_memory.h"

namespace mbsbench {

namespace {

// Newton's steps are not shortened: no step is as long as this limit.
constexpr double kLargestStep = 1e12;
// Quadratic convergence takes less than ten; straight chains far from equilibrium a dozen.
constexpr int kMostIterations = 60;
// A step this small (relative to the unknown, or to 1) is round-off.
constexpr double kSmallestStep = 1e-14;
// If the steps reach round-off above the tolerance, a residual below this still counts as solved.
constexpr double kRoundOffFloor = 1e3;  // times the tolerance
// Reciprocal condition (KLU's cheap estimate) below which no digit of a step is correct.
constexpr double kSingular = 1e-17;

// The scale of auxiliary unknowns, whose steps must not count.
constexpr double kUncounted = 1e-100;

// That of KLU, which in addition fails where no digit of a step would be correct.
int SetUpKlu(SUNLinearSolver klu, SUNMatrix matrix) {
  if (const int flag = SUNLinSolSetup_KLU(klu, matrix); flag != 0) return flag;
  sun_klu_common* const common = SUNLinSol_KLUGetCommon(klu);
  sun_klu_rcond(SUNLinSol_KLUGetSymbolic(klu), SUNLinSol_KLUGetNumeric(klu), common);
  return common->rcond > kSingular ? 0 : SUNLS_PACKAGE_FAIL_REC;
}

class KinsolRun : SundialsMemory {
 public:
  KinsolRun(SparseSystem& equations, double tolerance)
      : equations_(equations), tolerance_(tolerance) {}
  ~KinsolRun() { KINFree(&kinsol_); }

  IntegrationReport Run(std::span<const double> guess) {
    using Outcome = IntegrationReport::Outcome;
    size_ = equations_.size();
    if (!SetUp(guess)) {
      report_.outcome = Outcome::kIntegratorFailed;
      report_.reason = "KINSOL could not be set up: it refused its settings or found no memory";
      return std::move(report_);
    }
    const int flag = KINSol(kinsol_, z_, KIN_NONE, unknown_scale_, residual_scale_);
    report_.end_state.assign(View(z_).begin(), View(z_).end());
    report_.residual.assign(size_, NAN);
    if (const Status s = equations_.Residual(report_.end_state, report_.residual); s.ok()) {
      Record(report_.end_state, report_.residual);
    }
    long int iterations = 0, evaluations = 0, jacobians = 0;
    KINGetNumNonlinSolvIters(kinsol_, &iterations);
    KINGetNumFuncEvals(kinsol_, &evaluations);
    KINGetNumJacEvals(kinsol_, &jacobians);
    report_.counters.newton_iterations = iterations;
    report_.counters.evaluations = evaluations;
    report_.counters.jacobians = report_.counters.factorisations = jacobians;
    Classify(flag);
    return std::move(report_);
  }

 private:
  static int Residual(N_Vector z, N_Vector f, void* self) {
    auto& run = *static_cast<KinsolRun*>(self);
    N_VConst(0, f);
    const std::span<double> out = run.View(f);
    Status status = run.equations_.Residual(run.View(z), out);
    if (status.ok()) status = FiniteOr(out, "the residual");
    run.last_failure_ = status;
    return status.ok() ? 0 : -1;
  }
  static int Jacobian(N_Vector z, N_Vector f, SUNMatrix matrix, void* self, N_Vector, N_Vector) {
    auto& run = *static_cast<KinsolRun*>(self);
    run.Record(run.View(z), run.View(f));
    const SparsityPattern& pattern = run.equations_.pattern();
    std::copy(pattern.column_start.begin(), pattern.column_start.end(), SM_INDEXPTRS_S(matrix));
    std::copy(pattern.row.begin(), pattern.row.end(), SM_INDEXVALS_S(matrix));
    run.last_failure_ =
        run.equations_.Jacobian(run.View(z), {SM_DATA_S(matrix), pattern.row.size()});
    return run.last_failure_.ok() ? 0 : -1;
  }

  // Without the auxiliary unknowns.
  std::span<double> View(N_Vector v) const { return {N_VGetArrayPointer(v), size_}; }
  bool SetUp(std::span<const double> guess) {
    const std::size_t count = equations_.pattern().column_start.size() - 1;
    const auto all = static_cast<sunindextype>(count);
    const auto entries = static_cast<sunindextype>(equations_.pattern().row.size());
    z_ = NewVector(count);
    unknown_scale_ = NewVector(count);
    residual_scale_ = NewVector(count);
    matrix_ = SUNSparseMatrix(all, all, entries, CSC_MAT, context_);
    kinsol_ = KINCreate(context_);
    if (residual_scale_ == nullptr || matrix_ == nullptr || kinsol_ == nullptr) return false;
    solver_ = SUNLinSol_KLU(z_, matrix_, context_);
    if (solver_ == nullptr) return false;
    solver_->ops->setup = SetUpKlu;
    N_VConst(0, z_);
    std::ranges::copy(guess, View(z_).begin());
    N_VConst(kUncounted, unknown_scale_);
    std::ranges::fill(View(unknown_scale_), 1.0);
    N_VConst(1, residual_scale_);
    const std::span<double> scale = View(residual_scale_);
    equations_.ResidualScale(guess, scale);
    for (double& s : scale) s = std::isfinite(s) && s > 0 ? 1 / s : 1;
    return KINSetErrHandlerFn(kinsol_, Silent, nullptr) == KIN_SUCCESS &&
           KINInit(kinsol_, Residual, z_) == KIN_SUCCESS &&
           KINSetUserData(kinsol_, this) == KIN_SUCCESS &&
           KINSetLinearSolver(kinsol_, solver_, matrix_) == KIN_SUCCESS &&
           KINSetJacFn(kinsol_, Jacobian) == KIN_SUCCESS &&
           KINSetMaxSetupCalls(kinsol_, 1) == KIN_SUCCESS &&  // a new Jacobian in every iteration
           KINSetNumMaxIters(kinsol_, kMostIterations) == KIN_SUCCESS &&
           KINSetMaxNewtonStep(kinsol_, kLargestStep) == KIN_SUCCESS &&
           KINSetFuncNormTol(kinsol_, tolerance_) == KIN_SUCCESS &&
           KINSetScaledStepTol(kinsol_, kSmallestStep) == KIN_SUCCESS;
  }
  double Scaled(std::span<const double> f) const {
    const std::span<const double> scale = View(residual_scale_);
    double largest = 0;
    for (std::size_t i = 0; i < size_; ++i) largest = std::max(largest, std::abs(scale[i] * f[i]));
    return largest;
  }
  void Record(std::span<const double> z, std::span<const double> f) {
    report_.residual_history.push_back(Scaled(f));
    if (!before_.empty()) {
      double step = 0;
      for (std::size_t i = 0; i < size_; ++i) step = std::max(step, std::abs(z[i] - before_[i]));
      report_.step_history.push_back(step);
    }
    before_.assign(z.begin(), z.end());
  }
  void Classify(int flag) {
    using Outcome = IntegrationReport::Outcome;
    const auto iterations = report_.counters.newton_iterations;
    const double reached = report_.residual_history.empty() ? NAN : report_.residual_history.back();
    if (flag >= 0 && reached <= kRoundOffFloor * tolerance_) return;
    if (!last_failure_.ok()) {
      Stop(last_failure_, fmt::format("after {} iterations", iterations), report_);
    } else if (flag == KIN_LSETUP_FAIL) {
      report_.outcome = Outcome::kSingular;
      report_.reason = fmt::format("Newton's matrix is singular after {} iterations", iterations);
    } else {
      report_.outcome = Outcome::kNewtonFailed;
      report_.reason = fmt::format(
          "Newton's iteration does not converge from this guess: after {} iterations a scaled "
          "residual of {:.3g} remains (flag {})",
          iterations, reached, flag);
    }
  }

  SparseSystem& equations_;
  double tolerance_;
  std::size_t size_ = 0;
  N_Vector z_ = nullptr, unknown_scale_ = nullptr, residual_scale_ = nullptr;
  void* kinsol_ = nullptr;
  Status last_failure_;
  std::vector<double> before_;  // the iterate before
  IntegrationReport report_;
};

}  // namespace

IntegrationReport SolveSteadyState(SparseSystem& equations, std::span<const double> guess,
                                   double tolerance) {
  return KinsolRun(equations, tolerance).Run(guess);
}

IntegrationReport RunKinsol(AlgebraicFormulation& formulation, const SystemState& state,
                            const IntegrationSettings& settings, const Sampling& sampling) {
  IntegrationReport report;
  const std::int64_t inner_iterations = formulation.inner_iterations();
  std::vector<double> guess(formulation.state_size());
  if (const Status s = formulation.Initialise(0, state, guess); !s.ok()) {
    Stop(s, 0, report);
    return report;
  }
  report = SolveSteadyState(formulation, guess, settings.tolerance);
  report.counters.inner_iterations = formulation.inner_iterations() - inner_iterations;
  if (report.ok() && sampling.sink && !sampling.times.empty())
    sampling.sink(sampling.times.front(), report.end_state, 0);
  return report;
}

}  // namespace mbsbench
