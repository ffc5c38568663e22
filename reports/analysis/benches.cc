#include "reports/analysis/benches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "harness/comparison/plan_shards.h"
#include "harness/comparison/same_machine.h"

namespace mbsbench::reports {

namespace {

std::set<std::string> HostSet(const Run& run) {
  return {run.machine.hosts.begin(), run.machine.hosts.end()};
}

}  // namespace

std::string HostsOf(const Run& run) { return fmt::format("{}", fmt::join(HostSet(run), ", ")); }

std::string ShardsOf(const Run& run) {
  const auto& [planned, joined] = run.shard_count;
  if (planned < 2) return "";
  return joined == planned ? fmt::format("{} shards", planned)
                           : fmt::format("{} of {} shards", joined, planned);
}

std::string CommandOf(const Run& run) {
  const std::string shards = ShardsOf(run);
  return run.command + (shards.empty() ? "" : " # in " + shards);
}

std::string CoresOf(const MachineRecord& machine) {
  return machine.cores ? std::to_string(*machine.cores) : "";
}

std::map<std::string, RunBench> BenchesOf(const Results& results) {
  std::map<std::string, const Run*> runs;
  for (const Run& run : results.runs) runs[run.id] = &run;
  std::map<std::string, std::map<std::string, std::vector<double>>> control;  // by kind and host
  std::map<std::string, RunBench> benches;
  for (const Run& run : results.runs) {
    benches[run.id].kind = ProcessorAndBuild(run.machine, run.build);
    control[benches[run.id].kind].try_emplace(HostsOf(run));
  }
  for (const Trial& trial : results.trials) {
    const auto run = runs.find(trial.run_id);
    const MaybeNumber seconds = trial.record.control_seconds;
    if (run == runs.end() || !seconds || *seconds <= 0) continue;
    control[benches[trial.run_id].kind][HostsOf(*run->second)].push_back(*seconds);
  }
  std::map<std::string, std::map<std::string, int>> groups;
  for (const auto& [kind, hosts] : control) {
    std::map<std::string, double> least;
    for (const auto& [host, seconds] : hosts)
      least[host] = seconds.empty() ? 0 : *std::ranges::min_element(seconds);
    groups[kind] = SpeedGroups(least);
  }
  for (const Run& run : results.runs) {
    RunBench& bench = benches[run.id];
    bench.times = fmt::format("{}\n{}", bench.kind, groups[bench.kind][HostsOf(run)]);
  }
  return benches;
}

void JoinShards(const Store& store, Results& results) {
  const std::vector<ShardRow> shards = store.Shards();
  if (shards.empty()) return;
  const std::map<std::string, JoinedPlan> plans = JoinedPlans(store);
  std::map<std::string, const ShardRow*> shard_of_run;
  std::map<std::string, std::size_t> place;  // order of the problems in the plans
  for (const ShardRow& shard : shards) {
    shard_of_run[shard.run_id] = &shard;
    for (const PlannedProblemRecord& problem : shard.document.problems)
      place.try_emplace(problem.name, place.size() + 1);
  }
  const std::map<std::string, RunBench> benches = BenchesOf(results);
  std::vector<Run> runs;
  std::map<std::pair<std::string, std::string>, std::size_t> joined;  // plan, bench
  std::map<std::string, std::string> renamed;                         // ids of runs
  for (const Run& run : results.runs) {
    const auto shard = shard_of_run.find(run.id);
    if (shard == shard_of_run.end()) {
      runs.push_back(run);
      continue;
    }
    const auto [it, is_new] =
        joined.try_emplace({shard->second->plan, benches.at(run.id).times}, runs.size());
    if (is_new) {
      const JoinedPlan& plan = plans.at(shard->second->plan);
      Run& whole = runs.emplace_back(run);
      whole.command = plan.command;
      whole.finished = plan.finished;
      whole.coverage = plan.coverage;
      whole.shard_count = {shard->second->shards, 0};
    }
    Run& whole = runs[it->second];
    renamed[run.id] = whole.id;
    whole.shard_count.done += !whole.shards.contains(shard->second->number);
    whole.shards.emplace(shard->second->number, run.command);
    std::set<std::string> hosts = HostSet(whole);
    hosts.merge(HostSet(run));
    whole.machine.hosts.assign(hosts.begin(), hosts.end());
  }
  results.runs = std::move(runs);
  const auto rename = [&renamed](auto& rows) {
    for (auto& row : rows) {
      const auto whole = renamed.find(row.run_id);
      if (whole != renamed.end()) row.run_id = whole->second;
    }
  };
  rename(results.trials);
  rename(results.problems);
  rename(results.methods);
  // In the order of the plans, after the problems without a plan.
  std::ranges::stable_sort(results.problems, {}, [&place](const ProblemRow& problem) {
    const auto known = place.find(problem.name);
    return known == place.end() ? 0 : known->second;
  });
}

}  // namespace mbsbench::reports
