#include "harness/runner/trials/evaluation_kernel.h"

#include <algorithm>
#include <cmath>

#include "harness/control_kernel.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/cells/wall_clock.h"
#include "methods/steady/algebraic_formulation.h"
#include "problems/model/all_finite.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// dF/dy + c dF/dyp is evaluated at the c of a step of 1e-3 T; its value does not change the work.
constexpr double kStepsPerTime = 1e3;
// Number of moved states that are tried.
constexpr std::uint64_t kAttempts = 4;

// Whether two states differ by more than closing the loops again changes them.
bool AreApart(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > 1e-9 * std::max(1., std::abs(a[i]))) return true;
  }
  return false;
}

}  // namespace

Status PointAt(Formulation& formulation, const SystemState& state, StatePoint& point) {
  point.y.assign(formulation.state_size(), NAN);
  if (formulation.form() != Form::kDae) return formulation.Initialise(0, state, point.y);
  point.yp.assign(formulation.state_size(), NAN);
  return static_cast<DaeFormulation&>(formulation).InitialiseDae(0, state, point.y, point.yp);
}

EvaluationKernel::EvaluationKernel(const PreparedCell& prepared, Evaluated what)
    : formulation_(prepared.MakeFormulation()),
      what_(what),
      step_rate_(kStepsPerTime / prepared.problem.time),
      start_(prepared.initial),
      end_time_(prepared.problem.end_time) {
  status_ = PointAt(*formulation_, prepared.initial, points_[0]);
  if (!status_.ok()) return;
  output_.resize(formulation_->state_size());
  if (what_ == Evaluated::kAccelerationsAndReactions) {
    const System& system = prepared.problem.system;
    reactions_.resize(system.joints.size() + system.loop_joints.size());
    with_reactions_ = formulation_->reactions();
    if (with_reactions_ == nullptr)
      throw ModelError("method '" + prepared.method.spec + "' evaluates no reactions.");
  }
  if (what_ == Evaluated::kResidualAndJacobian) {
    values_.resize(formulation_->form() == Form::kAlgebraic
                       ? static_cast<AlgebraicFormulation&>(*formulation_).pattern().row.size()
                       : static_cast<DaeFormulation&>(*formulation_).pattern().row.size());
  }
  if (what_ == Evaluated::kStep) return;
  status_ = EvaluateAt(points_[0]);
  if (!status_.ok()) return;
  FindSecondPoint(prepared);
  // Restores what the formulation keeps of its start to the first state.
  status_ = PointAt(*formulation_, prepared.initial, points_[0]);
}

void EvaluationKernel::FindSecondPoint(const PreparedCell& prepared) {
  StatePoint& second = points_[1];
  const auto is_other = [&] { return AreApart(points_[0].y, second.y) && EvaluateAt(second).ok(); };
  for (std::uint64_t seed = 1; seed <= kAttempts; ++seed) {
    const std::optional<SystemState> state = MovedState(prepared.problem, seed);
    if (state && PointAt(*formulation_, *state, second).ok() && is_other()) return;
  }
  // A system with one possible start, such as a rope flight: its state a little later.
  if (formulation_->form() == Form::kOde && PointAt(*formulation_, prepared.initial, second).ok() &&
      EvaluateAt(second).ok()) {
    for (std::size_t i = 0; i < output_.size(); ++i) second.y[i] += output_[i] / step_rate_;
    Projects* const projection = formulation_->projection();
    if ((projection == nullptr || projection->Project(0, second.y).ok()) && is_other()) return;
  }
  throw ModelError("no second state of '" + prepared.problem.name + "' was found that method '" +
                   prepared.method.spec +
                   "' can evaluate: an evaluation is timed at two states in turn.");
}

Status EvaluationKernel::EvaluateAt(const StatePoint& point) {
  if (what_ == Evaluated::kAccelerations)
    return static_cast<OdeFormulation&>(*formulation_).Evaluate(0, point.y, output_);
  if (what_ == Evaluated::kAccelerationsAndReactions)
    return with_reactions_->EvaluateWithReactions(0, point.y, output_, reactions_);
  if (what_ == Evaluated::kStep) return Step();
  if (formulation_->form() == Form::kAlgebraic) {
    auto& algebraic = static_cast<AlgebraicFormulation&>(*formulation_);
    const Status status = algebraic.Residual(point.y, output_);
    return status.ok() ? algebraic.Jacobian(point.y, values_) : status;
  }
  auto& dae = static_cast<DaeFormulation&>(*formulation_);
  Status status = dae.Residual(0, point.y, point.yp, output_);
  if (status.ok() && what_ == Evaluated::kResidualAndJacobian)
    status = dae.Jacobian(0, step_rate_, point.y, point.yp, values_);
  return status;
}

Status EvaluationKernel::Step() {
  TimeStepper& stepper = *formulation_->time_stepper();
  if (stepper.counters().steps == 0 || stepper.time() >= end_time_) {
    const StepControl control{.step = 1 / step_rate_, .end_time = end_time_};
    if (const Status status = stepper.Start(0, start_, control); !status.ok()) return status;
  }
  const StepReport report = stepper.Step(end_time_);
  std::copy(stepper.y().begin(), stepper.y().end(), output_.begin());
  return report.status;
}

double EvaluationKernel::NewtonIterationsPerStep() {
  const WorkCounters work = formulation_->time_stepper()->counters();
  return static_cast<double>(work.newton_iterations) / static_cast<double>(work.steps);
}

double EvaluationKernel::InnerIterations() {
  const std::int64_t before = formulation_->inner_iterations();
  if (before == 0) return 0;  // evaluations at both states had none
  Run(2);
  return static_cast<double>(formulation_->inner_iterations() - before) / 2;
}

void EvaluationKernel::Run(std::int64_t evaluations) {
  for (std::int64_t i = 0; i < evaluations; ++i) {
    const Status status = EvaluateAt(points_[i & 1]);
    if (!status.ok()) status_ = status;
  }
}

void EvaluationKernel::RunFresh(std::int64_t evaluations) {
  for (std::size_t p : {0u, 1u}) {
    if (fresh_[p].y.empty()) fresh_[p] = points_[p];
  }
  for (std::int64_t i = 0; i < evaluations; ++i) {
    StatePoint& point = fresh_[i & 1];
    if (!point.y.empty()) {
      // One coordinate after the other, so that the change costs next to nothing.
      double& moved = point.y[next_moved_ % point.y.size()];
      moved = InOtherLastPlaces(moved, 1);
      next_moved_ += static_cast<std::size_t>(i & 1);
    }
    const Status status = EvaluateAt(point);
    if (!status.ok()) status_ = status;
  }
}

double EvaluationKernel::OutputNorm() {
  if (const Status status = EvaluateAt(points_[0]); !status.ok()) status_ = status;
  double sum = 0;
  for (double v : values_.empty() ? output_ : values_) sum += v * v;
  for (const JointReaction& r : reactions_) sum += Dot(r.force, r.force) + Dot(r.torque, r.torque);
  return std::sqrt(sum);
}

bool EvaluationKernel::IsFinite() {
  for (const StatePoint& point : points_) {
    if (const Status status = EvaluateAt(point); !status.ok()) status_ = status;
    if (!AllFinite(values_.empty() ? output_ : values_)) return false;
  }
  return true;
}

std::optional<BatchKernel> BatchKernel::Make(const PreparedCell& prepared,
                                             const EvaluationKernel& single) {
  const MethodChoice& method = prepared.method;
  if (!method.entry->prepare_batch) return std::nullopt;
  BatchKernel kernel;
  try {
    kernel.batch_ = PrepareBatch(method, prepared.problem);
  } catch (const ModelError&) {
    return std::nullopt;
  }
  const std::size_t size = kernel.batch_->state_size();
  kernel.rates_.resize(size);
  for (std::size_t i : {0u, 1u}) {
    kernel.states_[i].resize(size);
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t l = 0; l < kBatchStates; ++l) {
        kernel.states_[i][k].lane[l] = single.point((i + l) % 2).y[k];
      }
    }
  }
  return kernel;
}

void BatchKernel::Run(std::int64_t evaluations) {
  for (std::int64_t i = 0; i < evaluations; ++i) Evaluate(states_[i & 1]);
}

void BatchKernel::Evaluate(std::span<const LaneValues> states) {
  if (!batch_->EvaluateBatch(0, states, rates_, of_each_))
    status_ = *std::ranges::find_if_not(of_each_, &Status::ok);
}

void BatchKernel::RunFresh(std::int64_t evaluations) {
  for (std::int64_t i = 0; i < evaluations; ++i) {
    std::vector<LaneValues>& state = states_[i & 1];
    LaneValues& moved = state[next_moved_ % state.size()];
    for (std::size_t l = 0; l < kBatchStates; ++l)
      moved.lane[l] = InOtherLastPlaces(moved.lane[l], 1);
    next_moved_ += static_cast<std::size_t>(i & 1);
    Evaluate(state);
  }
}

namespace {

constexpr double kEvaluationSeconds = 0.15;

// The cost of reading the clock is significant in shorter batches [s].
constexpr double kShortestBatch = 1e-3;

// Times of one evaluation, by batches of an even number of evaluations because states alternate. It takes kEvaluationSeconds of
// CPU time, and longer until one batch is long enough; a failure ends it.
template <class Kernel>
LeastTimes TimeEvaluations(Kernel& kernel) {
  LeastTimes least;
  std::int64_t batch = 2;
  const double start = ProcessCpuSeconds();
  while (kernel.status().ok() &&
         (ProcessCpuSeconds() - start < kEvaluationSeconds || !std::isfinite(least.cpu_seconds))) {
    const double wall = WallSeconds(), cpu = ProcessCpuSeconds();
    kernel.RunFresh(batch);
    const double cpu_seconds = ProcessCpuSeconds() - cpu, wall_seconds = WallSeconds() - wall;
    least.units += batch;
    if (cpu_seconds < kShortestBatch) {
      batch *= 2;
      continue;
    }
    least.cpu_seconds = std::min(least.cpu_seconds, cpu_seconds / static_cast<double>(batch));
    least.wall_seconds = std::min(least.wall_seconds, wall_seconds / static_cast<double>(batch));
  }
  return least;
}

void AddOperations(const PreparedCell& prepared, Evaluated what, EvaluationRecord& record) {
  const auto& count = prepared.method.entry->count_operations;
  if (!count || what == Evaluated::kResidual || what == Evaluated::kAccelerationsAndReactions)
    return;
  const CountedOperations counted =
      count(prepared.problem.system, prepared.method.options, prepared.initial.joints);
  record.operations_of = counted ? counted.what : counted.why_not;
  if (counted)
    record.operations = {counted->multiplications, counted->additions, counted->divisions,
                         counted->square_roots};
}

}  // namespace

TrialResult EvaluationTrial(const PreparedCell& prepared, Evaluated what) {
  const Problem& problem = prepared.problem;
  const double control_before = ControlKernelSeconds();
  EvaluationKernel kernel(prepared, what);
  TrialResult result;
  LeastTimes least;
  if (kernel.status().ok()) least = TimeEvaluations(kernel);
  result.ending = EndingOf(kernel.status(), problem.system);
  if (result.ending.outcome != Outcome::kOk) return result;
  if (!kernel.IsFinite()) {
    result.ending = {Outcome::kDiverged, "its values at a consistent state are not finite"};
    return result;
  }
  const std::size_t bodies = problem.system.bodies.size();
  result.cpu_seconds = least.cpu_seconds;
  result.record.what = Name(what);
  result.record.control_seconds = std::min(control_before, ControlKernelSeconds());
  EvaluationRecord& record = result.record.evaluation.emplace();
  record.nanoseconds_per_body = 1e9 * least.cpu_seconds / static_cast<double>(bodies);
  record.bodies = static_cast<std::int64_t>(bodies);
  record.evaluations = least.units;
  if (const int threads = prepared.method.threads(); threads > 1) {
    record.threads = threads;
    record.wall_nanoseconds_per_body = 1e9 * least.wall_seconds / static_cast<double>(bodies);
  }
  if (what == Evaluated::kStep) {
    record.newton_iterations = kernel.NewtonIterationsPerStep();
  } else if (const double inner = kernel.InnerIterations(); inner > 0) {
    record.inner_iterations = inner;
  }
  AddOperations(prepared, what, record);
  if (what != Evaluated::kAccelerations) return result;
  if (std::optional<BatchKernel> batch = BatchKernel::Make(prepared, kernel)) {
    const double batch_seconds = TimeEvaluations(*batch).cpu_seconds;
    if (batch->status().ok()) {
      record.batched = {kBatchStates,
                        1e9 * batch_seconds / static_cast<double>(kBatchStates * bodies)};
    }
  }
  return result;
}

}  // namespace mbsbench
