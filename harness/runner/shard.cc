#include "harness/runner/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "harness/records/json_codec.h"
#include "harness/runner/schedule.h"
#include "harness/store/sha1.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// Orders of magnitude on one core of a machine of today. They share out the work, and nothing else rests on them.
constexpr double kProcessSeconds = 0.03;   // to start a process and to prepare a system
constexpr double kSecondsPerBody = 4e-7;   // of one evaluation
constexpr double kTruthPerBody = 2e-3;     // accelerations of one body in 113 bits
constexpr double kRepeatedSeconds = 0.3;   // an evaluation is repeated for as long
constexpr double kEvaluationsPerStep = 8;  // Runge-Kutta of higher order
constexpr double kStepsPerPeriod = 15;     // of an adaptive integrator at tolerance 1
constexpr double kDefaultOrder = 5;
constexpr double kTimedSeconds = 0.1;   // a short integration is repeated for as long
constexpr double kSmallestSystem = 10;  // below it no growth with the bodies shows

int WholeNumber(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

double RoughEvaluationSeconds(const MethodChoice& method, double bodies) {
  const double growth = std::max(0., method.entry->cost_exponent - 1);
  return kSecondsPerBody * bodies * std::pow(std::max(1., bodies / kSmallestSystem), growth);
}

double ExpectedSteps(const Cell& cell, double periods) {
  if (cell.step) return cell.end_time.value_or(0) / *cell.step;
  if (!cell.tolerance) return 0;  // a steady state
  const IntegratorEntry* integrator = FindIntegrator(cell.integrator);
  const double order =
      integrator != nullptr && integrator->order > 0 ? integrator->order : kDefaultOrder;
  return periods * kStepsPerPeriod * std::pow(*cell.tolerance, -1 / order);
}

}  // namespace

Shard ParseShard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::string_view all = text;
  const Shard shard{slash == std::string::npos ? -1 : WholeNumber(all.substr(0, slash)),
                    slash == std::string::npos ? -1 : WholeNumber(all.substr(slash + 1))};
  if (shard.number < 1 || shard.of < shard.number) {
    throw ModelError("--shard is '" + text +
                     "': I/N is needed, the I-th of N parts, with I from 1 to N.");
  }
  return shard;
}

double ExpectedSeconds(const PlannedProblem& problem, int rounds, double seconds_per_trial) {
  const auto bodies = static_cast<double>(problem.bodies);
  double seconds = kProcessSeconds + std::min(kTruthPerBody * bodies, 10 * seconds_per_trial);
  for (const PlannedCell& planned : problem.cells) {
    if (planned.without_running.outcome != Outcome::kOk) continue;
    const auto method =
        std::find_if(problem.methods.begin(), problem.methods.end(),
                     [&](const MethodChoice& m) { return m.spec == planned.cell.method; });
    const double once = std::min(seconds_per_trial, ExpectedSteps(planned.cell, problem.periods) *
                                                        kEvaluationsPerStep *
                                                        RoughEvaluationSeconds(*method, bodies));
    seconds += kProcessSeconds + once;
    if (planned.is_split) seconds += kProcessSeconds + kSolutionsPerBudget * once;
    seconds +=
        rounds * (kProcessSeconds + kTimedSeconds) + std::min(rounds * once, seconds_per_trial / 6);
  }
  if (rounds > 0)
    seconds += static_cast<double>(problem.evaluated.size()) * (kProcessSeconds + kRepeatedSeconds);
  return seconds;
}

std::vector<int> AssignShards(const std::vector<PlannedProblem>& plan, int shards, int rounds,
                              double seconds_per_trial) {
  std::vector<double> cost;
  for (const PlannedProblem& problem : plan)
    cost.push_back(ExpectedSeconds(problem, rounds, seconds_per_trial));
  std::vector<std::size_t> order(plan.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&cost](std::size_t a, std::size_t b) { return cost[a] > cost[b]; });
  std::vector<double> load(static_cast<std::size_t>(shards));
  std::vector<int> shard_of(plan.size());
  for (const std::size_t problem : order) {
    const auto cheapest = std::min_element(load.begin(), load.end());
    *cheapest += cost[problem];
    shard_of[problem] = static_cast<int>(cheapest - load.begin()) + 1;
  }
  return shard_of;
}

std::string PlanHash(const std::vector<PlannedProblem>& plan, const std::vector<int>& shards,
                     int rounds, std::uint64_t seed, const std::string& binary_hash) {
  std::string text = fmt::format("{} rounds, seed {}, {}\n", rounds, seed, binary_hash);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    text += fmt::format("{} in {}\n", plan[i].name, shards[i]);
    for (const PlannedCell& planned : plan[i].cells)
      text += ToJson(planned.cell).dump() + (planned.is_split ? " split\n" : "\n");
    for (const MethodChoice& method : plan[i].evaluated) text += method.spec + "\n";
  }
  return Sha1(text);
}

PlanRecord RecordOf(const std::vector<PlannedProblem>& plan, const std::vector<int>& shards) {
  PlanRecord record;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    record.problems.push_back(
        {plan[i].name, shards[i], static_cast<std::int64_t>(plan[i].cells.size())});
  }
  return record;
}

}  // namespace mbsbench
