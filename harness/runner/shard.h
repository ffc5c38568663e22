// Parts of a plan that run on different nodes. All cells of a problem are in one shard, because they are compared with
// each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/runner/plan.h"
#include "harness/store/store.h"

namespace mbsbench {

struct Shard {
  int number = 1;  // 1 to `of`
  int of = 1;
};

// Reads "I/N". Throws ModelError where that is no part of a plan.
Shard ParseShard(const std::string& text);

// The forecast of what each problem of a plan costs before anything is run: seconds of all its trials.
std::vector<double> ExpectedSeconds(const std::vector<PlannedProblem>& plan, int rounds,
                                    double seconds_per_trial);

// The shard of each problem, 1 to `shards`, such that the most expensive one is as cheap as can be had by giving the next
// most expensive problem to the cheapest shard. The same on every machine.
std::vector<int> AssignShards(const std::vector<PlannedProblem>& plan, int shards, int rounds,
                              double seconds_per_trial);

// What identifies a plan in shards: 40 hexadecimal digits that differ where a cell, the rounds, the seed, the executable or
// the number of shards does.
std::string PlanHash(const std::vector<PlannedProblem>& plan, const std::vector<int>& shards,
                     int rounds, std::uint64_t seed, const std::string& binary_hash);

// The whole plan as each shard's store holds it (ShardRow).
PlanRecord RecordOf(const std::vector<PlannedProblem>& plan, const std::vector<int>& shards);

}  // namespace mbsbench
