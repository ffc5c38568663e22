// The shards of a plan in a merged store: the plan as one run, and the missing parts.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/store/store.h"

namespace mbsbench {

// A plan in shards, with all runs that carried out one of them.
struct JoinedPlan {
  std::set<std::string> runs;  // ids
  std::string command;         // CommandsOfShards
  std::string finished;        // when the last shard did; empty while one is missing or unfinished
  // All shards, the missing ones with their problems and cells alone. Empty if a shard that has not finished states none.
  // Shards have methods and families in common, which are therefore not counted.
  std::optional<CoverageRecord> coverage;
};

// By hash of the plan: every plan with at least one shard in the store. A run that also carried out the whole plan, such as one
// that continues the merged store, counts for all shards.
std::map<std::string, JoinedPlan> JoinedPlans(const Store& store);

// The run with the commands and the end of its plan, if it is a shard of one.
RunRow WithPlan(const Store& store, RunRow run);

// Ids of all runs that are shards of the plans of this run, including the run itself.
std::set<std::string> RunsOfPlan(const Store& store, const std::string& run_id);

// A sentence for each shard that is missing or unfinished; empty if the plans are complete.
std::vector<std::string> MissingShards(const Store& store);

}  // namespace mbsbench
