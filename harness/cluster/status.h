// The progress of the shards of a shared folder.
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
  std::int64_t trials = 0;  // finished trials of a shard that is not done
};

// `queued`: the tasks in Slurm's queue. Throws ModelError if the store of a shard is truncated.
std::vector<ShardStatus> StatusOf(const SharedFolder& folder, const ClusterPlan& plan,
                                  const std::map<int, QueuedTask>& queued);

}  // namespace mbsbench
