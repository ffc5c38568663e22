#include "harness/runner/forecast.h"

#include <algorithm>
#include <cmath>

namespace mbsbench {

namespace {

// Before anything of its kind has been seen: agreement, accuracy, evaluation, round of a timed cell [s].
constexpr double kGuess[] = {0.5, 0.1, 0.3, 0.1};
// Cost grows with this power of the bodies unless what has been seen says otherwise; as if so many
// observations had said it.
constexpr double kSlopeGuess[] = {0.5, 0.8, 0.1, 0};
constexpr double kSlopeWeight = 10;
// The same for the growth per digit: that of an integrator of order 5.
constexpr double kDigitsSlopeGuess = 0.3, kDigitsSlopeWeight = 20, kDigitsMiddle = 8;
// An effect of n observations is drawn towards nothing by n / (n + this): problem, method, integrator, problem
// and method, and these with the integrator.
constexpr double kShrinkage[] = {0.5, 1, 1, 0.7, 0.5};
constexpr int kSweeps = 12;
constexpr double kShortRound =
    0.15;  // an accuracy process below this repeats in its timed round [s]
constexpr double kLeastSeconds = 2e-3;  // of a process
constexpr double kSeenEnough = 5;       // seconds of processes before wall time is related to them

std::size_t Index(TrialKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

std::vector<TrialShape> ShapesOf(const std::vector<ScheduledTrial>& schedule,
                                 const std::vector<PlannedProblem>& plan, int rounds) {
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
      const Cell& cell = problem.cells[trial.cell].cell;
      shape.method = cell.method;
      shape.integrator = cell.integrator;
      if (cell.tolerance) shape.digits = -std::log10(*cell.tolerance);
      if (cell.step && cell.end_time) shape.digits = std::log10(*cell.end_time / *cell.step);
      shape.cell = first_cell[trial.problem] + trial.cell;
    }
    if (trial.kind == TrialKind::kTime)
      shape.rounds = static_cast<int>(RoundsOf(trial.process, rounds).size());
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
    cells = std::max(cells, t.cell + 1);
  }
  for (std::size_t g = 0; g < kGroups; ++g) group_counts_[g] = names[g].size();
  for (std::size_t k = 0; k < models_.size(); ++k) {
    Model& model = models_[k];
    for (std::size_t g = 0; g < kGroups; ++g) model.effects[g].assign(group_counts_[g], 0);
    model.digits_slope.assign(group_counts_[2],
                              Index(TrialKind::kAccuracy) == k ? kDigitsSlopeGuess : 0);
    model.mean = std::log(kGuess[k]);
    model.slope = kSlopeGuess[k];
  }
  accuracy_of_.assign(cells, 0);
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    if (trials_[i].kind == TrialKind::kAccuracy) accuracy_of_[trials_[i].cell] = i;
  }
  judged_.assign(cells, -1);
  timed_.assign(cells, -1);
  failed_.assign(cells, false);
}

void Forecast::Done(std::size_t trial, double seconds, bool finished) {
  if (done_[trial]) return;
  done_[trial] = true;
  const TrialShape& shape = trials_[trial];
  if (shape.kind == TrialKind::kAccuracy) {
    failed_[shape.cell] = !finished;
    if (seconds > 0) {
      judged_[shape.cell] = seconds;
      judged_count_ += 1;
      finished_count_ += finished ? 1 : 0;
    }
  }
  if (seconds <= 0) return;
  if (shape.kind != TrialKind::kTime) {
    seen_[Index(shape.kind)].push_back({trial, std::log(std::max(seconds, kLeastSeconds))});
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
  return kind == TrialKind::kAccuracy || kind == TrialKind::kAgreement ? 1 / side_by_side_ : 1;
}

double Forecast::LogSeconds(const Model& model, std::size_t trial) const {
  const TrialShape& t = trials_[trial];
  double sum = model.mean + model.slope * std::log(std::max(1., t.bodies)) +
               model.digits_slope[groups_[trial][2]] * (t.digits - kDigitsMiddle);
  for (std::size_t g = 0; g < kGroups; ++g) sum += model.effects[g][groups_[trial][g]];
  return sum;
}

void Forecast::Fit(TrialKind kind) {
  Model& model = models_[Index(kind)];
  const std::vector<Observation>& seen = seen_[Index(kind)];
  const auto n = static_cast<double>(seen.size());
  std::vector<double> rest;  // of each observation: what the model leaves
  for (const Observation& o : seen) rest.push_back(o.log_seconds - LogSeconds(model, o.trial));
  const auto bodies = [&](const Observation& o) {
    return std::log(std::max(1., trials_[o.trial].bodies));
  };
  double mean_bodies = 0;
  for (const Observation& o : seen) mean_bodies += bodies(o) / n;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double mean = 0;
    for (double r : rest) mean += r / n;
    double with = kSlopeWeight * (kSlopeGuess[Index(kind)] - model.slope), of = kSlopeWeight;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const double x = bodies(seen[i]) - mean_bodies;
      with += x * (rest[i] - mean);
      of += x * x;
    }
    const double change = with / of;
    model.slope += change;
    model.mean += mean - change * mean_bodies;
    for (std::size_t i = 0; i < seen.size(); ++i)
      rest[i] -= mean + change * (bodies(seen[i]) - mean_bodies);
    if (kind == TrialKind::kAccuracy) {
      std::vector<double> sum(group_counts_[2]), squares(group_counts_[2], kDigitsSlopeWeight);
      for (std::size_t g = 0; g < sum.size(); ++g)
        sum[g] = kDigitsSlopeWeight * (kDigitsSlopeGuess - model.digits_slope[g]);
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const double x = trials_[seen[i].trial].digits - kDigitsMiddle;
        const std::size_t g = groups_[seen[i].trial][2];
        sum[g] += x * rest[i];
        squares[g] += x * x;
      }
      for (std::size_t g = 0; g < sum.size(); ++g) model.digits_slope[g] += sum[g] / squares[g];
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const std::size_t g = groups_[seen[i].trial][2];
        rest[i] -= sum[g] / squares[g] * (trials_[seen[i].trial].digits - kDigitsMiddle);
      }
    }
    for (std::size_t g = 0; g < kGroups; ++g) {
      std::vector<double>& effects = model.effects[g];
      std::vector<double> sum(effects.size()), count(effects.size(), kShrinkage[g]);
      for (std::size_t e = 0; e < sum.size(); ++e) sum[e] = -kShrinkage[g] * effects[e];
      for (std::size_t i = 0; i < seen.size(); ++i) {
        sum[groups_[seen[i].trial][g]] += rest[i];
        count[groups_[seen[i].trial][g]] += 1;
      }
      for (std::size_t e = 0; e < sum.size(); ++e) effects[e] += sum[e] / count[e];
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const std::size_t e = groups_[seen[i].trial][g];
        rest[i] -= sum[e] / count[e];
      }
    }
  }
  // The mean of exp is not exp of the mean: what is left over scatters.
  double total = 0, expected = 0;
  for (const Observation& o : seen) {
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
  const double seconds = model.smear * std::exp(LogSeconds(model, trial));
  return std::min(std::max(seconds, kLeastSeconds), limit_);  // a limit may lie below any process
}

double Forecast::TimeSeconds(std::size_t trial) const {
  const TrialShape& shape = trials_[trial];
  if (failed_[shape.cell]) return 0;
  const bool is_judged = judged_[shape.cell] >= 0;
  const double judged = is_judged ? judged_[shape.cell]
                                  : ModelSeconds(TrialKind::kAccuracy, accuracy_of_[shape.cell]);
  double round = timed_[shape.cell];
  if (round < 0 && judged < kShortRound)
    round = short_rounds_ > 0 ? short_seconds_ / short_rounds_ : kGuess[Index(TrialKind::kTime)];
  else if (round < 0)
    round = long_judged_ > 0 ? judged * long_seconds_ / long_judged_ : judged;
  const double finish = is_judged ? 1 : (finished_count_ + 1) / (judged_count_ + 1);
  // Of what takes long there are fewer processes, and fewer rounds in them: those of the first one come first.
  const double rounds = AffordableRounds(judged, kProcessesPerCell, limit_);
  const bool is_left_out =
      shape.pass == Pass::kDepth && (rounds == 1 || AffordableProcesses(judged, limit_) == 1);
  return is_left_out ? 0 : finish * round * shape.rounds;
}

double Forecast::Seconds(std::size_t trial) {
  FitWhereNeeded();
  const TrialKind kind = trials_[trial].kind;
  return kind == TrialKind::kTime ? TimeSeconds(trial) : ModelSeconds(kind, trial);
}

std::array<PassForecast, kPasses> Forecast::Passes() {
  FitWhereNeeded();
  const double wall = weighed_ > kSeenEnough ? elapsed_ / weighed_ : 1;
  std::array<PassForecast, kPasses> passes;
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    PassForecast& pass = passes[static_cast<std::size_t>(trials_[i].pass) - 1];
    ++pass.planned;
    if (done_[i])
      ++pass.done;
    else
      pass.seconds_left += wall * Weight(i) * Seconds(i);
  }
  return passes;
}

double Forecast::SecondsLeft() {
  double seconds = 0;
  for (const PassForecast& pass : Passes()) seconds += pass.seconds_left;
  return seconds;
}

}  // namespace mbsbench
