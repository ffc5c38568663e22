// The shards of a plan in a merged store: their runs, and the missing parts.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/store/store.h"

namespace mbsbench {

// Progress of one shard of a plan.
struct ShardState {
  std::string plan;
  int number = 1, shards = 1;
  bool is_there = false, is_finished = false;
  std::int64_t cells = 0, planned_cells = 0;
  std::vector<std::string> problems;
};

// All shards of every plan with at least one shard in the store, by plan and number.
std::vector<ShardState> ShardStates(const Store& store);

// Ids of all runs that are shards of the plans of this run, including the run itself.
std::set<std::string> RunsOfPlan(const Store& store, const std::string& run_id);

// A sentence for each shard that is missing or unfinished; empty if the plans are complete.
std::vector<std::string> MissingShards(const Store& store);

}  // namespace mbsbench
