#include "harness/runner/plan/forecast.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace mbsbench {

namespace {

// Seconds before any trial of the kind is over, with kUsualBodies bodies: agreement, accuracy at kUsualDigits digits, evaluation,
// round of a timed cell; those of a budget follow from its cell.
constexpr double kGuess[kTrialKinds] = {0.5, 0.1, 0.3, 0.1, 1};
constexpr double kUsualBodies = 20, kUsualDigits = 8;
// Growth of a process's seconds: the power of the number of bodies, which is below that of the work since a process has a cost
// of its own, and the exponent per digit.
constexpr double kBodiesGrowth[kTrialKinds] = {0.7, 0.5, 0.5, 0, 0}, kDigitsGrowth = 0.3;
// The average of n trials has the weight n, the average of the wider group this.
constexpr double kPrior = 1;
constexpr double kShortRound =
    0.15;  // an accuracy process below this repeats in its timed round [s]
constexpr double kLeastSeconds = 2e-3;  // of a process
constexpr double kSeenEnough =
    5;  // seconds of processes before they influence the forecast of others

// Order by which the cost of a multistep integrator is expected to grow: that of BDF at its highest.
constexpr int kVariableOrder = 5;

std::size_t Index(TrialKind kind) { return static_cast<std::size_t>(kind); }

double Growth(const Cell& coarse, const Cell& fine) {
  if (fine.step) return *coarse.step / *fine.step;
  const int order = FindIntegrator(fine.integrator)->order;
  return std::pow(*coarse.tolerance / *fine.tolerance, 1. / (order > 0 ? order : kVariableOrder));
}

// From the most general to the most special group.
std::array<std::string, 4> GroupNames(const TrialShape& shape) {
  const std::string kind(Name(shape.kind)), what = kind + '\n' + shape.integrator,
                                            method = what + '\n' + shape.method;
  return {kind, what, method, method + '\n' + shape.problem};
}

}  // namespace

std::vector<TrialShape> ShapesOf(const std::vector<ScheduledTrial>& schedule,
                                 const std::vector<PlannedProblem>& plan, int rounds,
                                 const Durations& durations) {
  std::vector<std::size_t> first_cell(plan.size());
  std::size_t cells = 0;
  for (std::size_t p = 0; p < plan.size(); ++p) {
    first_cell[p] = cells;
    cells += plan[p].cells.size();
  }
  std::vector<TrialShape> shapes;
  for (const ScheduledTrial& trial : schedule) {
    const PlannedProblem& problem = plan[trial.problem];
    TrialShape& shape = shapes.emplace_back();
    shape.kind = trial.kind;
    shape.pass = trial.pass;
    shape.problem = problem.name;
    shape.bodies = static_cast<double>(problem.bodies);
    if (trial.kind == TrialKind::kEvaluation) {
      shape.method = problem.evaluated[trial.method].spec;
      shape.integrator = Name(trial.what);
    } else if (trial.kind != TrialKind::kAgreement) {
      const PlannedCell& planned = problem.cells[trial.cell];
      const Cell& cell = planned.cell;
      shape.method = cell.method;
      shape.integrator = cell.integrator;
      if (cell.tolerance) shape.digits = -std::log10(*cell.tolerance);
      if (cell.step && cell.end_time) shape.digits = std::log10(*cell.end_time / *cell.step);
      shape.cell = first_cell[trial.problem] + trial.cell;
      shape.is_run = planned.without_running.outcome == Outcome::kOk;
      if (planned.coarser >= 0) {
        const auto coarser = static_cast<std::size_t>(planned.coarser);
        shape.coarser = first_cell[trial.problem] + coarser;
        shape.growth = Growth(problem.cells[coarser].cell, cell);
      }
    }
    if (trial.kind == TrialKind::kTime)
      shape.rounds = static_cast<int>(RoundsOf(trial.process, rounds).size());
    else if (trial.kind != TrialKind::kBudget)
      shape.recorded = durations.Find(Name(shape.kind), shape.problem, shape.method,
                                      shape.integrator, shape.digits);
  }
  return shapes;
}

Forecast::Forecast(std::vector<TrialShape> trials, double limit, double side_by_side)
    : trials_(std::move(trials)),
      limit_(limit),
      side_by_side_(side_by_side),
      done_(trials_.size(), false) {
  std::size_t cells = 0;
  for (const TrialShape& t : trials_)
    cells = std::max({cells, t.cell + 1, t.coarser.value_or(0) + 1});
  accuracy_of_.assign(cells, 0);
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    if (trials_[i].kind == TrialKind::kAccuracy) accuracy_of_[trials_[i].cell] = i;
  }
  judged_.assign(cells, -1);
  timed_.assign(cells, -1);
  whole_.assign(cells, std::nullopt);
  failed_.assign(cells, false);
  std::unordered_map<std::string, std::size_t> group_of;  // by name
  for (const TrialShape& t : trials_) {
    Groups& groups = groups_.emplace_back();
    const std::array names = GroupNames(t);
    for (std::size_t i = 0; i < names.size(); ++i)
      groups[i] = group_of.try_emplace(names[i], group_of.size()).first->second;
  }
  averages_.resize(group_of.size());
}

void Forecast::Done(std::size_t trial, double seconds, bool finished, std::optional<double> whole) {
  if (done_[trial]) return;
  done_[trial] = true;
  const TrialShape& shape = trials_[trial];
  if (shape.kind == TrialKind::kAccuracy) {
    failed_[shape.cell] = !finished;
    whole_[shape.cell] = whole;
    if (seconds > 0) {
      judged_[shape.cell] = seconds;
      judged_count_ += 1;
      finished_count_ += finished ? 1 : 0;
    }
  }
  if (seconds <= 0) return;
  if (shape.kind == TrialKind::kBudget) {
    if (judged_[shape.cell] > 0) {
      recorded_seconds_[Index(shape.kind)] += kSolutionsPerBudget * judged_[shape.cell];
      taken_seconds_[Index(shape.kind)] += seconds;
    }
    return;
  }
  if (shape.kind != TrialKind::kTime) {
    if (shape.recorded) {
      recorded_seconds_[Index(shape.kind)] += shape.recorded->seconds;
      taken_seconds_[Index(shape.kind)] += seconds;
    }
    Learn(trial, std::max(seconds, kLeastSeconds));
    return;
  }
  const double round = seconds / std::max(1, shape.rounds), judged = judged_[shape.cell];
  timed_[shape.cell] = round;
  if (judged >= 0 && judged < kShortRound) {
    short_seconds_ += round;
    short_rounds_ += 1;
  } else if (judged >= 0) {
    long_seconds_ += round;
    long_judged_ += judged;
  }
}

void Forecast::Ran(std::size_t trial, double seconds, double wall_elapsed) {
  weighed_ += seconds * Weight(trial);
  elapsed_ = wall_elapsed;
}

double Forecast::Weight(std::size_t trial) const {
  const TrialKind kind = trials_[trial].kind;
  const bool is_timed = kind == TrialKind::kEvaluation || kind == TrialKind::kTime;
  return is_timed ? 1 : 1 / side_by_side_;
}

double Forecast::Average::Log(double prior) const {
  return (sum + kPrior * prior) / (count + kPrior);
}

// Logarithm of what a trial takes, by its bodies and digits alone, relative to others of its group.
double Forecast::LogGrowth(const TrialShape& shape) {
  return kBodiesGrowth[Index(shape.kind)] * std::log(std::max(1., shape.bodies)) +
         (shape.kind == TrialKind::kAccuracy ? kDigitsGrowth * shape.digits : 0);
}

void Forecast::Learn(std::size_t trial, double seconds) {
  for (const std::size_t group : groups_[trial]) {
    averages_[group].sum += std::log(seconds) - LogGrowth(trials_[trial]);
    averages_[group].count += 1;
  }
}

double Forecast::TypicalSeconds(std::size_t trial) const {
  const TrialShape& shape = trials_[trial];
  const TrialShape usual{.kind = shape.kind, .bodies = kUsualBodies, .digits = kUsualDigits};
  double log_seconds = std::log(kGuess[Index(shape.kind)]) - LogGrowth(usual);
  // Each group is drawn towards the average of the wider one before it.
  for (const std::size_t group : groups_[trial]) log_seconds = averages_[group].Log(log_seconds);
  // A limit may lie below the time of any process.
  return std::min(std::max(std::exp(log_seconds + LogGrowth(shape)), kLeastSeconds), limit_);
}

std::optional<double> Forecast::FromCoarser(std::size_t trial) const {
  const TrialShape& shape = trials_[trial];
  if (!shape.coarser || !whole_[*shape.coarser]) return std::nullopt;
  return shape.growth * *whole_[*shape.coarser];
}

double Forecast::TimeSeconds(std::size_t trial) const {
  const TrialShape& shape = trials_[trial];
  if (failed_[shape.cell]) return 0;
  const bool is_judged = judged_[shape.cell] >= 0;
  const double judged = is_judged ? judged_[shape.cell] : Seconds(accuracy_of_[shape.cell]);
  double round = timed_[shape.cell];
  if (round < 0 && judged < kShortRound)
    round = short_rounds_ > 0 ? short_seconds_ / short_rounds_ : kGuess[Index(TrialKind::kTime)];
  else if (round < 0)
    round = long_judged_ > 0 ? judged * long_seconds_ / long_judged_ : judged;
  const double finish = is_judged ? 1 : ChanceToFinish(accuracy_of_[shape.cell]);
  // A slow cell has fewer processes and fewer rounds; the first process comes first.
  const double rounds = AffordableRounds(judged, kProcessesPerCell, limit_);
  const bool is_left_out =
      shape.pass == Pass::kDepth && (rounds == 1 || AffordableProcesses(judged, limit_) == 1);
  return is_left_out ? 0 : finish * round * shape.rounds;
}

double Forecast::BudgetSeconds(std::size_t trial) const {
  const std::size_t cell = trials_[trial].cell, judge = accuracy_of_[cell];
  if (failed_[cell]) return 0;
  const bool is_judged = judged_[cell] >= 0;
  const double seconds = is_judged ? judged_[cell] : ChanceToFinish(judge) * Seconds(judge);
  return Pace(TrialKind::kBudget) * kSolutionsPerBudget * seconds;
}

double Forecast::ChanceToFinish(std::size_t trial) const {
  if (trials_[trial].recorded) return trials_[trial].recorded->finished ? 1 : 0;
  return (finished_count_ + 1) / (judged_count_ + 1);
}

// Drawn towards 1 until enough seconds have been measured.
double Forecast::Pace(TrialKind kind) const {
  return (taken_seconds_[Index(kind)] + kSeenEnough) /
         (recorded_seconds_[Index(kind)] + kSeenEnough);
}

double Forecast::Seconds(std::size_t trial) const {
  const TrialShape& shape = trials_[trial];
  if (shape.kind == TrialKind::kTime) return TimeSeconds(trial);
  if (shape.kind == TrialKind::kBudget) return BudgetSeconds(trial);
  if (!shape.is_run) return 0;
  const std::optional<double> expected = FromCoarser(trial);
  if (expected && *expected > limit_) return 0;  // above the limit the cell is skipped
  if (shape.recorded) {
    const double seconds = Pace(shape.kind) * shape.recorded->seconds;
    // An agreement has one process per method; the limit applies to each process.
    return shape.kind == TrialKind::kAgreement ? seconds : std::min(seconds, limit_);
  }
  if (expected) return *expected;
  return TypicalSeconds(trial);
}

std::vector<PassRecord> Forecast::Passes() const {
  const double wall = weighed_ > kSeenEnough ? elapsed_ / weighed_ : 1;
  std::vector<PassRecord> passes;
  for (int pass = 1; pass <= kPasses; ++pass)
    passes.push_back({.title = std::string(TitleOf(static_cast<Pass>(pass)))});
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    PassRecord& pass = passes[static_cast<std::size_t>(trials_[i].pass) - 1];
    ++pass.planned;
    if (done_[i])
      ++pass.done;
    else
      pass.seconds_left += wall * Weight(i) * Seconds(i);
  }
  return passes;
}

}  // namespace mbsbench
