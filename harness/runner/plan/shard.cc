#include "harness/runner/plan/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "harness/records/json_codec.h"
#include "harness/runner/plan/forecast.h"
#include "harness/store/sha1.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

int WholeNumber(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
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

std::vector<double> ExpectedSeconds(const std::vector<PlannedProblem>& plan, int rounds,
                                    double seconds_per_trial) {
  const std::vector<ScheduledTrial> schedule = MakeSchedule(plan, rounds, 0);
  Forecast forecast(ShapesOf(schedule, plan, rounds, RecordedDurations()), seconds_per_trial, 1);
  std::vector<double> seconds(plan.size());
  for (std::size_t i = 0; i < schedule.size(); ++i)
    seconds[schedule[i].problem] += forecast.Seconds(i);
  return seconds;
}

std::vector<int> AssignShards(const std::vector<PlannedProblem>& plan, int shards, int rounds,
                              double seconds_per_trial) {
  const std::vector<double> cost = ExpectedSeconds(plan, rounds, seconds_per_trial);
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
