// Parts of a plan for different nodes. All items of a problem are in one shard, because they are compared with each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/runner/plan/plan.h"

namespace mbsbench {

struct Shard {
  int number = 1;  // 1 to `of`
  int of = 1;
};

// Reads "I/N". Throws ModelError if it is not a part of a plan.
Shard ParseShard(const std::string& text);

// The shard of each problem, 1 to `shards`: the problems are assigned from the most to the least expensive, each to the cheapest
// shard so far. An item of a problem by a method costs bodies^cost_exponent.
std::vector<int> AssignShards(const std::vector<PlannedProblem>& plan, int shards);

// Identifies a plan in shards by 40 hexadecimal digits, which depend on the items, the rounds, the seed, the executable and the
// number of shards.
std::string PlanHash(const std::vector<PlannedProblem>& plan, const std::vector<int>& shards,
                     int rounds, std::uint64_t seed, const std::string& binary_hash);

// The whole plan, as stored with each shard (ShardRow).
PlanRecord RecordOf(const std::vector<PlannedProblem>& plan, const std::vector<int>& shards);

}  // namespace mbsbench
