#include "harness/runner/plan/forecast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace mbsbench {

namespace {

// Seconds before any step of the kind is over, with kUsualBodies bodies, in the order of StepKind.
constexpr double kGuess[kStepKinds] = {2, 0.3, 0.01, 0.2, 1, 5, 0.2, 4};
constexpr double kUsualBodies = 20;
// Timed trials run one after the other.
constexpr bool kIsTimed[kStepKinds] = {false, true, false, false, false, true, true, false};
// Growth of a step's seconds with the number of bodies: the power is below that of the work, since a process has a cost of its
// own.
constexpr double kBodiesGrowth[kStepKinds] = {0.7, 0.5, 0, 0.5, 0.5, 0.5, 0.5, 0.5};
// The average of n steps has the weight n, the average of the wider group this.
constexpr double kPrior = 1;
constexpr double kLeastSeconds = 2e-3;  // of a process
constexpr double kSeenEnough =
    5;  // seconds of processes before they influence the relation to wall time
constexpr double kPartToForecast = 0.05;  // of all steps

std::size_t Index(StepKind kind) { return static_cast<std::size_t>(kind); }

double LogGrowth(StepKind kind, double bodies) {
  return kBodiesGrowth[Index(kind)] * std::log(std::max(1., bodies));
}

}  // namespace

Forecast::Forecast(const std::vector<ScheduledStep>& schedule,
                   const std::vector<PlannedProblem>& plan, double side_by_side)
    : steps_(schedule), side_by_side_(side_by_side), done_(steps_.size(), false) {
  std::unordered_map<std::string, std::size_t> group_of;  // by name
  for (const ScheduledStep& step : steps_) {
    const PlannedProblem& problem = plan[step.problem];
    std::string method, what;  // empty if the kind has none
    double cells = 1;
    if (step.kind == StepKind::kEvaluation) {
      method = problem.evaluated[step.method].spec;
      what = Name(step.what);
    } else if (step.kind == StepKind::kRounds) {
      what = std::to_string(step.rounds);
    } else if (step.kind == StepKind::kLadderRound) {
      cells = 0;
      for (const PlannedCurve& curve : problem.curves) {
        if (curve.without_running.outcome == Outcome::kOk && !curve.only_shows_order)
          cells += static_cast<double>(curve.ladder.size());
      }
    } else if (step.kind != StepKind::kAgreement) {  // of one curve
      method = problem.curves[step.curve].cell.method;
      what = problem.curves[step.curve].cell.integrator;
    }
    growth_.push_back(LogGrowth(step.kind, static_cast<double>(problem.bodies)) + std::log(cells));
    Groups& groups = groups_.emplace_back();
    std::string name = std::to_string(Index(step.kind));
    for (std::size_t i = 0; const std::string& next : {what, method, problem.name, std::string()}) {
      groups[i++] = group_of.try_emplace(name, group_of.size()).first->second;
      name += '\n' + next;
    }
  }
  averages_.resize(group_of.size());
}

void Forecast::Done(std::size_t step, double seconds) {
  if (done_[step]) return;
  done_[step] = true;
  Share& share = shares_[Index(steps_[step].kind)];
  share.done += 1;
  if (seconds <= 0) return;
  share.with_process += 1;
  for (const std::size_t group : groups_[step]) {
    averages_[group].sum += std::log(std::max(seconds, kLeastSeconds)) - growth_[step];
    averages_[group].count += 1;
  }
}

void Forecast::Ran(std::size_t step, double seconds, double wall_elapsed) {
  weighed_ += seconds * Weight(step);
  elapsed_ = wall_elapsed;
}

double Forecast::Weight(std::size_t step) const {
  return kIsTimed[Index(steps_[step].kind)] ? 1 : 1 / side_by_side_;
}

double Forecast::Average::Log(double prior) const {
  return (sum + kPrior * prior) / (count + kPrior);
}

double Forecast::Seconds(std::size_t step) const {
  const StepKind kind = steps_[step].kind;
  double log_seconds = std::log(kGuess[Index(kind)]) - LogGrowth(kind, kUsualBodies);
  // Each group is drawn towards the average of the wider one before it.
  for (const std::size_t group : groups_[step]) log_seconds = averages_[group].Log(log_seconds);
  const Share& share = shares_[Index(kind)];
  return (share.with_process + 1) / (share.done + 1) * std::exp(log_seconds + growth_[step]);
}

std::vector<PassRecord> Forecast::Passes() const {
  const double wall = weighed_ > kSeenEnough ? elapsed_ / weighed_ : 1;
  std::vector<PassRecord> passes;
  for (int pass = 1; pass <= kPasses; ++pass)
    passes.push_back({.title = std::string(TitleOf(static_cast<Pass>(pass)))});
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    PassRecord& pass = passes[static_cast<std::size_t>(steps_[i].pass) - 1];
    ++pass.planned;
    if (done_[i])
      ++pass.done;
    else
      pass.seconds_left += wall * Weight(i) * Seconds(i);
  }
  const PassRecord all = SumOf(passes);
  if (static_cast<double>(all.done) < kPartToForecast * static_cast<double>(all.planned)) {
    for (PassRecord& pass : passes) pass.seconds_left = std::numeric_limits<double>::quiet_NaN();
  }
  return passes;
}

}  // namespace mbsbench
