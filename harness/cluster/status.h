// How far the shards of a shared folder are.
#pragma once

#include <string>
#include <vector>

#include "harness/cluster/slurm.h"

namespace mbsbench {

enum class ShardProgress { kDone, kRunning, kWaiting, kFailed, kMissing };
std::string_view Name(ShardProgress progress);  // "done", "running", "waiting", "failed", "missing"

struct ShardStatus {
  int shard = 1;
  ShardProgress progress = ShardProgress::kMissing;
  std::string node;         // on which it runs
  std::string reason;       // why it failed
  std::int64_t trials = 0;  // finished ones of a shard that is not done
};

// `queued`: what Slurm's queue holds. Throws ModelError where the store of a shard was cut short.
std::vector<ShardStatus> StatusOf(const SharedFolder& folder, const ClusterPlan& plan,
                                  const std::map<int, QueuedTask>& queued);

}  // namespace mbsbench
