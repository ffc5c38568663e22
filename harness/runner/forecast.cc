#include "harness/runner/forecast.h"

#include <algorithm>
#include <cmath>

namespace mbsbench {

namespace {

// Before anything of its kind has been seen: agreement, accuracy, evaluation, round of a timed cell [s]; a budget follows from
// its cell.
constexpr double kGuess[kTrialKinds] = {0.5, 0.1, 0.3, 0.1, 1};
// What a process takes above the least grows with this power of the bodies unless what has been seen of its
// method says otherwise; as if so many observations had said it.
constexpr double kSlopeGuess[kTrialKinds] = {1.5, 0.8, 1, 0, 0};
constexpr double kSlopeWeight = 10, kBodiesMiddle = 20;
// What lies above the least by less than this part of it is hardly more than noise, and weighs little.
constexpr double kNoise = 0.3;
// The same for the growth per digit: that of an integrator of order 5.
constexpr double kDigitsSlopeGuess = 0.3, kDigitsSlopeWeight = 20, kDigitsMiddle = 8;
// An effect of n observations is drawn towards nothing by n / (n + this): problem, method, integrator, problem
// and method, and these with the integrator.
constexpr double kShrinkage[] = {0.5, 1, 1, 0.7, 0.5};
constexpr int kSweeps = 12;
constexpr double kShortRound =
    0.15;  // an accuracy process below this repeats in its timed round [s]
constexpr double kLeastSeconds = 2e-3;  // of a process
constexpr double kSeenEnough = 5;       // seconds of processes before others are related to them

// Order by which the cost of a multistep integrator is expected to grow: that of BDF at its highest.
constexpr int kVariableOrder = 5;

std::size_t Index(TrialKind kind) { return static_cast<std::size_t>(kind); }

double Growth(const Cell& coarse, const Cell& fine) {
  if (fine.step) return *coarse.step / *fine.step;
  const int order = FindIntegrator(fine.integrator)->order;
  return std::pow(*coarse.tolerance / *fine.tolerance, 1. / (order > 0 ? order : kVariableOrder));
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
  std::array<std::unordered_map<std::string, std::size_t>, kGroups> names;
  std::size_t cells = 0;
  for (const TrialShape& t : trials_) {
    const std::string pair = t.problem + '\n' + t.method;
    const std::string* keys[] = {&t.problem, &t.method, &t.integrator, &pair};
    auto& groups = groups_.emplace_back();
    for (std::size_t g = 0; g < kGroups; ++g)
      groups[g] = names[g]
                      .try_emplace(g < 4 ? *keys[g] : pair + '\n' + t.integrator, names[g].size())
                      .first->second;
    cells = std::max({cells, t.cell + 1, t.coarser.value_or(0) + 1});
  }
  for (std::size_t g = 0; g < kGroups; ++g) group_counts_[g] = names[g].size();
  for (std::size_t k = 0; k < models_.size(); ++k) {
    Model& model = models_[k];
    for (std::size_t g = 0; g < kGroups; ++g) model.effects[g].assign(group_counts_[g], 0);
    model.digits_slope.assign(group_counts_[2],
                              Index(TrialKind::kAccuracy) == k ? kDigitsSlopeGuess : 0);
    model.bodies_slope.assign(group_counts_[1], kSlopeGuess[k]);
    model.floor.assign(group_counts_[2], INFINITY);
    model.mean = std::log(kGuess[k]);
  }
  accuracy_of_.assign(cells, 0);
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    if (trials_[i].kind == TrialKind::kAccuracy) accuracy_of_[trials_[i].cell] = i;
  }
  judged_.assign(cells, -1);
  timed_.assign(cells, -1);
  whole_.assign(cells, std::nullopt);
  failed_.assign(cells, false);
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
    Model& model = models_[Index(shape.kind)];
    seen_[Index(shape.kind)].push_back({trial, std::max(seconds, kLeastSeconds)});
    double& floor = model.floor[groups_[trial][2]];
    floor = std::min(floor, std::max(seconds, kLeastSeconds));
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

double Forecast::Bodies(std::size_t trial) const {
  return std::log(std::max(1., trials_[trial].bodies) / kBodiesMiddle);
}

double Forecast::Digits(std::size_t trial) const { return trials_[trial].digits - kDigitsMiddle; }

// What an integration takes has no least part worth telling apart.
double Forecast::FloorOf(const Model& model, std::size_t trial) const {
  const double floor = model.floor[groups_[trial][2]];
  return trials_[trial].kind != TrialKind::kAccuracy && std::isfinite(floor) ? floor : 0;
}

double Forecast::LogSeconds(const Model& model, std::size_t trial) const {
  const auto& groups = groups_[trial];
  double sum = model.mean + model.bodies_slope[groups[1]] * Bodies(trial) +
               model.digits_slope[groups[2]] * Digits(trial);
  for (std::size_t g = 0; g < kGroups; ++g) sum += model.effects[g][groups[g]];
  return sum;
}

std::vector<Forecast::Excess> Forecast::ExcessesOf(TrialKind kind) const {
  const Model& model = models_[Index(kind)];
  std::vector<Excess> excesses;
  for (const Observation& o : seen_[Index(kind)]) {
    const double floor = FloorOf(model, o.trial), noise = std::max(kNoise * floor, kLeastSeconds);
    const double excess = std::max(o.seconds - floor, kLeastSeconds);
    const double share = kind == TrialKind::kAccuracy ? 1 : excess / (excess + noise);
    excesses.push_back({o.trial, std::log(excess), share * share});
  }
  return excesses;
}

void Forecast::Fit(TrialKind kind) {
  Model& model = models_[Index(kind)];
  const std::vector<Excess> seen = ExcessesOf(kind);
  std::vector<double> rest;  // of each observation: what the model leaves
  double weights = 0;
  std::vector<double> middle(group_counts_[1]),
      of_method(group_counts_[1]);  // of the bodies seen, by method
  for (const Excess& o : seen) {
    const std::size_t method = groups_[o.trial][1];
    rest.push_back(o.log_seconds - LogSeconds(model, o.trial));
    weights += o.weight;
    of_method[method] += o.weight;
    middle[method] += o.weight * Bodies(o.trial);
  }
  for (std::size_t e = 0; e < middle.size(); ++e) {
    if (of_method[e] > 0) middle[e] /= of_method[e];
  }
  // One part, which each observation of a group shares by x, in addition to its prior.
  const auto improve = [&](std::vector<double>& part, std::size_t g, double guess, double weight,
                           const auto& x_of) {
    std::vector<double> sum(part.size()), squares(part.size(), weight);
    for (std::size_t e = 0; e < part.size(); ++e) sum[e] = weight * (guess - part[e]);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const std::size_t e = groups_[seen[i].trial][g];
      const double x = x_of(seen[i].trial);
      sum[e] += seen[i].weight * x * rest[i];
      squares[e] += seen[i].weight * x * x;
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const std::size_t e = groups_[seen[i].trial][g];
      rest[i] -= sum[e] / squares[e] * x_of(seen[i].trial);
    }
    for (std::size_t e = 0; e < part.size(); ++e) part[e] += sum[e] / squares[e];
  };
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double mean = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) mean += seen[i].weight * rest[i] / weights;
    model.mean += mean;
    for (double& r : rest) r -= mean;
    const std::vector<double> slopes = model.bodies_slope;
    improve(model.bodies_slope, 1, kSlopeGuess[Index(kind)], kSlopeWeight,
            [&](std::size_t trial) { return Bodies(trial) - middle[groups_[trial][1]]; });
    // A method's line turned about the middle of its own observations.
    for (std::size_t e = 0; e < slopes.size(); ++e)
      model.effects[1][e] -= (model.bodies_slope[e] - slopes[e]) * middle[e];
    if (kind == TrialKind::kAccuracy)
      improve(model.digits_slope, 2, kDigitsSlopeGuess, kDigitsSlopeWeight,
              [&](std::size_t trial) { return Digits(trial); });
    for (std::size_t g = 0; g < kGroups; ++g)
      improve(model.effects[g], g, 0, kShrinkage[g], [](std::size_t) { return 1.; });
  }
  // The mean of exp is not exp of the mean: what is left over scatters.
  double total = 0, expected = 0;
  for (const Excess& o : seen) {
    total += std::exp(o.log_seconds);
    expected += std::exp(LogSeconds(model, o.trial));
  }
  model.smear = expected > 0 ? total / expected : 1;
  fitted_[Index(kind)] = seen.size();
}

// A fit takes milliseconds, so it waits until a twentieth more has been seen.
void Forecast::FitWhereNeeded() {
  for (TrialKind kind : {TrialKind::kAgreement, TrialKind::kAccuracy, TrialKind::kEvaluation}) {
    const std::size_t seen = seen_[Index(kind)].size(), fitted = fitted_[Index(kind)];
    if (seen > fitted + fitted / 20) Fit(kind);
  }
}

double Forecast::ModelSeconds(TrialKind kind, std::size_t trial) const {
  const Model& model = models_[Index(kind)];
  const double seconds = FloorOf(model, trial) + model.smear * std::exp(LogSeconds(model, trial));
  return std::min(std::max(seconds, kLeastSeconds), limit_);  // a limit may lie below any process
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
  const double judged = is_judged ? judged_[shape.cell] : ExpectedSeconds(accuracy_of_[shape.cell]);
  double round = timed_[shape.cell];
  if (round < 0 && judged < kShortRound)
    round = short_rounds_ > 0 ? short_seconds_ / short_rounds_ : kGuess[Index(TrialKind::kTime)];
  else if (round < 0)
    round = long_judged_ > 0 ? judged * long_seconds_ / long_judged_ : judged;
  const double finish = is_judged ? 1 : ChanceToFinish(accuracy_of_[shape.cell]);
  // Of what takes long there are fewer processes, and fewer rounds in them: those of the first one come first.
  const double rounds = AffordableRounds(judged, kProcessesPerCell, limit_);
  const bool is_left_out =
      shape.pass == Pass::kDepth && (rounds == 1 || AffordableProcesses(judged, limit_) == 1);
  return is_left_out ? 0 : finish * round * shape.rounds;
}

double Forecast::BudgetSeconds(std::size_t trial) const {
  const std::size_t cell = trials_[trial].cell, judge = accuracy_of_[cell];
  if (failed_[cell]) return 0;
  const bool is_judged = judged_[cell] >= 0;
  const double seconds = is_judged ? judged_[cell] : ChanceToFinish(judge) * ExpectedSeconds(judge);
  return Pace(TrialKind::kBudget) * kSolutionsPerBudget * seconds;
}

double Forecast::ChanceToFinish(std::size_t trial) const {
  if (trials_[trial].recorded) return trials_[trial].recorded->finished ? 1 : 0;
  return (finished_count_ + 1) / (judged_count_ + 1);
}

// Until as many seconds have been seen as say something, drawn towards 1.
double Forecast::Pace(TrialKind kind) const {
  return (taken_seconds_[Index(kind)] + kSeenEnough) /
         (recorded_seconds_[Index(kind)] + kSeenEnough);
}

double Forecast::ExpectedSeconds(std::size_t trial) const {
  const TrialShape& shape = trials_[trial];
  if (shape.kind == TrialKind::kTime) return TimeSeconds(trial);
  if (shape.kind == TrialKind::kBudget) return BudgetSeconds(trial);
  if (!shape.is_run) return 0;
  const std::optional<double> expected = FromCoarser(trial);
  if (expected && *expected > limit_) return 0;  // beyond the limit it is skipped
  if (shape.recorded) {
    const double seconds = Pace(shape.kind) * shape.recorded->seconds;
    // An agreement has a process per method; the limit is that of a process.
    return shape.kind == TrialKind::kAgreement ? seconds : std::min(seconds, limit_);
  }
  if (expected) return *expected;
  return ModelSeconds(shape.kind, trial);
}

double Forecast::Seconds(std::size_t trial) {
  FitWhereNeeded();
  return ExpectedSeconds(trial);
}

std::vector<PassRecord> Forecast::Passes() {
  FitWhereNeeded();
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
      pass.seconds_left += wall * Weight(i) * ExpectedSeconds(i);
  }
  return passes;
}

}  // namespace mbsbench
