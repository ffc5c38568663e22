#include "harness/store/plan_shards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace mbsbench {

namespace {

constexpr std::size_t kNamedProblems = 5;

std::string Named(const std::vector<std::string>& problems) {
  const std::size_t shown = std::min(problems.size(), kNamedProblems);
  std::string text = fmt::format(
      "{}",
      fmt::join(problems.begin(), problems.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < problems.size()) text += fmt::format(" and {} more", problems.size() - shown);
  return text;
}

// The shards of one plan; every row of the plan lists all of them.
std::vector<ShardState> Planned(const ShardRow& row) {
  std::vector<ShardState> states(static_cast<std::size_t>(row.shards));
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i].plan = row.plan;
    states[i].number = static_cast<int>(i) + 1;
    states[i].shards = row.shards;
  }
  for (const PlannedProblemRecord& problem : row.document.problems) {
    if (problem.shard < 1 || problem.shard > row.shards) continue;
    ShardState& state = states[static_cast<std::size_t>(problem.shard) - 1];
    state.problems.push_back(problem.name);
    state.planned_cells += problem.cells;
  }
  return states;
}

}  // namespace

std::vector<ShardState> ShardStates(const Store& store) {
  std::vector<ShardState> all, of_plan;
  const auto take = [&] {
    all.insert(all.end(), of_plan.begin(), of_plan.end());
    of_plan.clear();
  };
  for (const ShardRow& row : store.Shards()) {
    if (of_plan.empty() || of_plan.front().plan != row.plan) {
      take();
      of_plan = Planned(row);
    }
    ShardState& state = of_plan[static_cast<std::size_t>(row.number) - 1];
    state.is_there = true;
    state.is_finished = state.is_finished || !row.finished.empty();
    const std::map<std::string, std::int64_t> cells = store.CellsOf(row.run_id);
    for (const std::string& problem : state.problems) {
      const auto found = cells.find(problem);
      if (found != cells.end()) state.cells += found->second;
    }
  }
  take();
  return all;
}

std::set<std::string> RunsOfPlan(const Store& store, const std::string& run_id) {
  const std::vector<ShardRow> shards = store.Shards();
  std::set<std::string> plans, runs{run_id};
  for (const ShardRow& shard : shards) {
    if (shard.run_id == run_id) plans.insert(shard.plan);
  }
  for (const ShardRow& shard : shards) {
    if (plans.count(shard.plan) > 0) runs.insert(shard.run_id);
  }
  return runs;
}

std::vector<std::string> MissingShards(const Store& store) {
  std::vector<std::string> sentences;
  for (const ShardState& state : ShardStates(store)) {
    if (state.is_finished) continue;
    const std::string name = fmt::format("shard {} of {}", state.number, state.shards);
    if (!state.is_there) {
      sentences.push_back(state.problems.empty()
                              ? fmt::format("{} is missing; it holds no problem", name)
                              : fmt::format("{} is missing: {} cells of {}", name,
                                            state.planned_cells, Named(state.problems)));
    } else {
      sentences.push_back(fmt::format("{} has not finished: {} of {} cells of {} are present", name,
                                      state.cells, state.planned_cells, Named(state.problems)));
    }
  }
  return sentences;
}

}  // namespace mbsbench
