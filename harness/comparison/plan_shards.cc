#include "harness/comparison/plan_shards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "harness/store/run_commands.h"

namespace mbsbench {

namespace {

constexpr std::size_t kNamedProblems = 5;

std::string Named(const std::vector<std::string>& problems) {
  const std::size_t shown = std::min(problems.size(), kNamedProblems);
  std::string text = fmt::format("{}", fmt::join(std::span(problems).first(shown), ", "));
  if (shown < problems.size()) text += fmt::format(" and {} more", problems.size() - shown);
  return text;
}

// One shard of a plan. Several runs may have carried it out, one after the other.
struct Shard {
  std::vector<std::string> problems;
  std::int64_t planned_items = 0;
  std::set<std::string> runs;
  std::string finished;                    // when the first of them did
  std::optional<CoverageRecord> coverage;  // of the one with the most progress
};

using Plan = std::vector<Shard>;

// The shards of one plan; every row of the plan lists all of them.
Plan Planned(const ShardRow& row) {
  Plan plan(static_cast<std::size_t>(row.shards));
  for (const PlannedProblemRecord& problem : row.document.problems) {
    if (problem.shard < 1 || problem.shard > row.shards) continue;
    Shard& shard = plan[static_cast<std::size_t>(problem.shard) - 1];
    shard.problems.push_back(problem.name);
    shard.planned_items += problem.items;
  }
  return plan;
}

std::int64_t DoneOf(const std::optional<CoverageRecord>& coverage) {
  return coverage ? SumOf(coverage->passes).done : -1;
}

// The plans of a store by their hash.
std::map<std::string, Plan> PlansIn(const Store& store) {
  std::map<std::string, Plan> plans;
  for (const ShardRow& row : store.Shards()) {
    Plan& plan = plans.try_emplace(row.plan, Planned(row)).first->second;
    if (row.number < 1 || row.number > std::ssize(plan)) continue;
    Shard& shard = plan[static_cast<std::size_t>(row.number) - 1];
    shard.runs.insert(row.run_id);
    if (shard.finished.empty()) shard.finished = row.finished;
    if (DoneOf(row.document.coverage) > DoneOf(shard.coverage))
      shard.coverage = row.document.coverage;
  }
  return plans;
}

void Add(const Covered& share, Covered& sum) {
  sum.planned += share.planned;
  sum.done += share.done;
}

void Add(const CoverageRecord& shard, CoverageRecord& sum) {
  Add(OrNone(shard.problems), *sum.problems);
  Add(OrNone(shard.items), *sum.items);
  sum.passes.resize(std::max(sum.passes.size(), shard.passes.size()));
  for (std::size_t k = 0; k < shard.passes.size(); ++k) {
    const PassRecord& pass = shard.passes[k];
    sum.passes[k].title = pass.title;
    sum.passes[k].planned += pass.planned;
    sum.passes[k].done += pass.done;
    sum.passes[k].seconds_left += pass.seconds_left;
  }
  sum.open.insert(sum.open.end(), shard.open.begin(), shard.open.end());
  sum.targets.insert(sum.targets.end(), shard.targets.begin(), shard.targets.end());
  std::ranges::sort(sum.targets, std::greater<>());
  sum.targets.erase(std::unique(sum.targets.begin(), sum.targets.end()), sum.targets.end());
}

std::optional<CoverageRecord> CoverageOf(const Plan& plan) {
  CoverageRecord sum{.problems = Covered{}, .items = Covered{}};
  for (const Shard& shard : plan) {
    if (shard.coverage)
      Add(*shard.coverage, sum);
    else if (shard.runs.empty())
      Add({.problems = Covered{std::ssize(shard.problems), 0},
           .items = Covered{shard.planned_items, 0}},
          sum);
    else if (shard.finished.empty())
      return std::nullopt;
  }
  return sum;
}

// When the last shard finished; empty while one has not.
std::string EndOf(const Plan& plan) {
  std::string last;
  for (const Shard& shard : plan) {
    if (shard.finished.empty()) return "";
    last = std::max(last, shard.finished);
  }
  return last;
}

std::map<std::string, JoinedPlan> Join(const std::map<std::string, Plan>& plans,
                                       const Store& store) {
  const std::vector<RunRow> runs = store.Runs();
  const std::vector<CoverageRow> coverages = store.Coverages();
  std::map<std::string, JoinedPlan> joined;
  for (const auto& [hash, plan] : plans) {
    JoinedPlan& whole = joined[hash];
    for (const Shard& shard : plan) whole.runs.insert(shard.runs.begin(), shard.runs.end());
    whole.finished = EndOf(plan);
    whole.coverage = CoverageOf(plan);
    std::vector<RunRow> of_plan;
    for (const RunRow& run : runs) {
      if (whole.runs.count(run.id) == 0) continue;
      of_plan.push_back(run);
      const auto coverage = std::ranges::find(coverages, run.id, &CoverageRow::run_id);
      if (plan.size() == 1 || coverage == coverages.end()) continue;
      if (!EndsWithWholePlan(run.command)) continue;
      if (whole.finished.empty()) whole.finished = run.finished;
      whole.coverage = coverage->document;
    }
    whole.command = CommandsOfShards(of_plan);
  }
  return joined;
}

}  // namespace

std::map<std::string, JoinedPlan> JoinedPlans(const Store& store) {
  return Join(PlansIn(store), store);
}

RunRow WithPlan(const Store& store, RunRow run) {
  for (const auto& [hash, plan] : JoinedPlans(store)) {
    if (plan.runs.count(run.id) == 0) continue;
    run.command = plan.command;
    run.finished = plan.finished;
  }
  return run;
}

std::set<std::string> RunsOfPlan(const Store& store, const std::string& run_id) {
  std::set<std::string> runs{run_id};
  for (const auto& [hash, plan] : JoinedPlans(store)) {
    if (plan.runs.count(run_id) > 0) runs.insert(plan.runs.begin(), plan.runs.end());
  }
  return runs;
}

std::vector<std::string> MissingShards(const Store& store) {
  std::vector<std::string> sentences;
  const std::map<std::string, Plan> plans = PlansIn(store);
  const std::map<std::string, JoinedPlan> joined = Join(plans, store);
  for (const auto& [hash, plan] : plans) {
    if (!joined.at(hash).finished.empty()) continue;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const Shard& shard = plan[i];
      if (!shard.finished.empty()) continue;
      const std::string name = fmt::format("shard {} of {}", i + 1, plan.size());
      if (shard.runs.empty()) {
        sentences.push_back(shard.problems.empty()
                                ? fmt::format("{} is missing; it holds no problem", name)
                                : fmt::format("{} is missing: {} items of {}", name,
                                              shard.planned_items, Named(shard.problems)));
        continue;
      }
      const std::int64_t done = OrNone(OrNone(shard.coverage).items).done;
      sentences.push_back(fmt::format("{} has not finished: {} of {} items of {} are done", name,
                                      done, shard.planned_items, Named(shard.problems)));
    }
  }
  return sentences;
}

}  // namespace mbsbench
