// KINSOL's Newton iteration, undamped.
//
// KINSOL's vectors have the length of z. The matrix is the sparse one of the formulation, which has auxiliary unknowns
// after those of z. KeptSparse connects the two: a linear solver that pads the right side with zeros, solves by KLU,
// and returns the leading part.
#include <fmt/format.h>
#include <kinsol/kinsol.h>
#include <sunlinsol/sunlinsol_klu.h>

#include <algorithm>
#include <cmath>
#include <memory>

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
constexpr double kRoundOffStep = 1e-14;
// If the steps reach round-off above the tolerance, a residual below this still counts as solved.
constexpr double kRoundOffFloor = 1e3;  // times the tolerance
// Reciprocal condition (KLU's cheap estimate) below which no digit of a step is correct.
constexpr double kSingular = 1e-17;

class KeptSparse {
 public:
  KeptSparse(sunindextype size, SUNMatrix matrix, SUNContext context) : matrix_(matrix) {
    padded_right_ = N_VNew_Serial(size, context);
    padded_solution_ = N_VNew_Serial(size, context);
    klu_ = SUNLinSol_KLU(padded_right_, matrix, context);
    outer_ = SUNLinSolNewEmpty(context);
    outer_->content = this;
    outer_->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    outer_->ops->setup = [](SUNLinearSolver s, SUNMatrix) { return Of(s).SetUp(); };
    outer_->ops->solve = [](SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector b, realtype) {
      return Of(s).Solve(x, b);
    };
  }
  ~KeptSparse() {
    SUNLinSolFreeEmpty(outer_);
    SUNLinSolFree(klu_);
    N_VDestroy(padded_right_);
    N_VDestroy(padded_solution_);
  }
  KeptSparse(const KeptSparse&) = delete;
  KeptSparse& operator=(const KeptSparse&) = delete;

  SUNLinearSolver solver() const { return outer_; }

 private:
  static KeptSparse& Of(SUNLinearSolver s) { return *static_cast<KeptSparse*>(s->content); }

  int SetUp() {
    if (SUNLinSolSetup(klu_, matrix_) != 0) return SUNLS_PACKAGE_FAIL_REC;
    sun_klu_common* common = SUNLinSol_KLUGetCommon(klu_);
    sun_klu_rcond(SUNLinSol_KLUGetSymbolic(klu_), SUNLinSol_KLUGetNumeric(klu_), common);
    return common->rcond > kSingular ? 0 : SUNLS_PACKAGE_FAIL_REC;
  }
  int Solve(N_Vector x, N_Vector b) {
    const auto n = static_cast<std::size_t>(N_VGetLength(b));
    N_VConst(0, padded_right_);
    std::copy_n(N_VGetArrayPointer(b), n, N_VGetArrayPointer(padded_right_));
    const int flag = SUNLinSolSolve(klu_, matrix_, padded_solution_, padded_right_, 0);
    std::copy_n(N_VGetArrayPointer(padded_solution_), n, N_VGetArrayPointer(x));
    return flag;
  }

  SUNMatrix matrix_;
  N_Vector padded_right_, padded_solution_;
  SUNLinearSolver klu_, outer_;
};

class KinsolRun : SundialsMemory {
 public:
  KinsolRun(SparseSystem& equations, double tolerance)
      : equations_(equations), tolerance_(tolerance), size_(equations.size()) {}
  ~KinsolRun() { KINFree(&kinsol_); }

  IntegrationReport Run(std::span<const double> guess);

 private:
  static int Residual(N_Vector z, N_Vector f, void* self);
  static int Jacobian(N_Vector z, N_Vector f, SUNMatrix matrix, void* self, N_Vector, N_Vector);
  void SetUp(std::span<const double> guess);
  double Scaled(std::span<const double> f) const;
  void Record(std::span<const double> z, std::span<const double> f);
  void Classify(int flag);

  SparseSystem& equations_;
  double tolerance_;
  std::size_t size_;  // of z
  N_Vector z_ = nullptr, unknown_scale_ = nullptr, residual_scale_ = nullptr;
  std::unique_ptr<KeptSparse> kept_;
  void* kinsol_ = nullptr;
  Status last_failure_;
  std::vector<double> before_;  // the iterate before
  IntegrationReport report_;
};

int KinsolRun::Residual(N_Vector z, N_Vector f, void* self) {
  auto& run = *static_cast<KinsolRun*>(self);
  const std::span<double> out = View(f);
  Status status = run.equations_.Residual(View(z), out);
  if (status.ok()) status = FiniteOr(out, "the residual");
  run.last_failure_ = status;
  return status.ok() ? 0 : -1;
}

int KinsolRun::Jacobian(N_Vector z, N_Vector f, SUNMatrix matrix, void* self, N_Vector, N_Vector) {
  auto& run = *static_cast<KinsolRun*>(self);
  run.Record(View(z), View(f));
  run.last_failure_ = run.equations_.Jacobian(View(z), ValuesOn(run.equations_.pattern(), matrix));
  return run.last_failure_.ok() ? 0 : -1;
}

void KinsolRun::SetUp(std::span<const double> guess) {
  z_ = NewVector(size_), unknown_scale_ = NewVector(size_), residual_scale_ = NewVector(size_);
  std::ranges::copy(guess, View(z_).begin());
  N_VConst(1, unknown_scale_);
  const std::span<double> scale = View(residual_scale_);
  equations_.ResidualScale(guess, scale);
  for (double& s : scale) s = std::isfinite(s) && s > 0 ? 1 / s : 1;
  MakeSparseMatrix(equations_.pattern());
  kept_ =
      std::make_unique<KeptSparse>(equations_.pattern().column_start.size() - 1, matrix_, context_);
  kinsol_ = NotNull(KINCreate(context_));
  KINSetErrHandlerFn(kinsol_, Silent, nullptr);
  KINInit(kinsol_, Residual, z_);
  KINSetUserData(kinsol_, this);
  KINSetLinearSolver(kinsol_, kept_->solver(), matrix_);
  KINSetJacFn(kinsol_, Jacobian);
  KINSetMaxSetupCalls(kinsol_, 1);  // a new Jacobian in every iteration
  KINSetNumMaxIters(kinsol_, kMostIterations);
  KINSetMaxNewtonStep(kinsol_, kLargestStep);
  KINSetFuncNormTol(kinsol_, tolerance_);
  KINSetScaledStepTol(kinsol_, kRoundOffStep);
}

double KinsolRun::Scaled(std::span<const double> f) const {
  const std::span<const double> scale = View(residual_scale_);
  double largest = 0;
  for (std::size_t i = 0; i < size_; ++i) largest = std::max(largest, std::abs(scale[i] * f[i]));
  return largest;
}

void KinsolRun::Record(std::span<const double> z, std::span<const double> f) {
  report_.residual_history.push_back(Scaled(f));
  if (!before_.empty()) {
    double step = 0;
    for (std::size_t i = 0; i < size_; ++i) step = std::max(step, std::abs(z[i] - before_[i]));
    report_.step_history.push_back(step);
  }
  before_.assign(z.begin(), z.end());
}

IntegrationReport KinsolRun::Run(std::span<const double> guess) {
  SetUp(guess);
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

void KinsolRun::Classify(int flag) {
  using Outcome = IntegrationReport::Outcome;
  const auto iterations = report_.counters.newton_iterations;
  const double reached = report_.residual_history.empty() ? NAN : report_.residual_history.back();
  if (flag >= 0 && reached <= kRoundOffFloor * tolerance_) return;
  if (!last_failure_.ok())
    return Stop(last_failure_, fmt::format("after {} iterations", iterations), report_);
  if (flag == KIN_LSETUP_FAIL) {
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
