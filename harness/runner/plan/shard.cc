#include "harness/runner/plan/shard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <regex>

#include "harness/records/json_codec.h"
#include "harness/runner/plan/schedule.h"
#include "harness/store/sha1.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

double CostOf(const PlannedProblem& problem) {
  constexpr double kProcess = 10;  // what a trial costs besides its bodies
  const auto of_one = [&problem](const MethodChoice& method) {
    return kProcess + std::pow(static_cast<double>(problem.bodies), method.cost_exponent());
  };
  double cost = kProcess;
  for (const MethodChoice& method : problem.evaluated) cost += of_one(method);
  for (const PlannedCurve& curve : problem.curves) {
    if (curve.without_running.outcome != Outcome::kOk) continue;
    const std::size_t items =
        curve.ladder.size() + (curve.grid.settings.empty() ? 0 : problem.targets.size());
    cost += (static_cast<double>(items) + (curve.is_split ? kSolutionsPerBudget : 0)) *
            of_one(*problem.MethodOf(curve.cell.method));
  }
  return cost;
}

}  // namespace

Shard ParseShard(const std::string& text) {
  static const std::regex form("([0-9]{1,9})/([0-9]{1,9})");
  std::smatch numbers;
  Shard shard{0, 0};
  if (std::regex_match(text, numbers, form)) shard = {std::stoi(numbers[1]), std::stoi(numbers[2])};
  if (shard.number < 1 || shard.of < shard.number) {
    throw ModelError("--shard is '" + text +
                     "': I/N is needed, the I-th of N parts, with I from 1 to N.");
  }
  return shard;
}

std::vector<int> AssignShards(const std::vector<PlannedProblem>& plan, int shards) {
  std::vector<double> cost;
  for (const PlannedProblem& problem : plan) cost.push_back(CostOf(problem));
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
    for (const PlannedCurve& curve : plan[i].curves) {
      text += fmt::format("{} {} at {} in {}, {} settings{}\n", ToJson(curve.cell).dump(),
                          curve.by_steps ? "steps" : "tolerances", fmt::join(plan[i].targets, " "),
                          fmt::join(curve.ladder, " "), curve.grid.settings.size(),
                          curve.is_split ? ", split" : "");
    }
    for (const MethodChoice& method : plan[i].evaluated) text += method.spec + "\n";
  }
  return Sha1(text);
}

PlanRecord RecordOf(const std::vector<PlannedProblem>& plan, const std::vector<int>& shards) {
  PlanRecord record;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    record.problems.push_back({plan[i].name, shards[i], plan[i].Items()});
  }
  return record;
}

}  // namespace mbsbench
