// Slurm: the job scripts of a shared folder, the state of its queue, and the progress of the shards.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/cluster/shared_folder.h"

namespace mbsbench {

struct SlurmRequest {
  std::string partition = {}, account = {}, constraint = {};  // empty: the cluster's default
  int minutes = 0;             // that a task may take; 0: the partition's limit
  bool exclusive = false;      // requests whole nodes
  std::int64_t megabytes = 0;  // that a task may use; unused with whole nodes
};

// The script of a job array whose task I runs shard I. It first starts the executable without work: where that fails, for an
// instruction set or a library that the node lacks, the shard has failed for this reason.
std::string TaskScript(const SharedFolder& folder, const ClusterPlan& plan,
                       const SlurmRequest& request);
// The script of the job that merges the finished shards and writes the report.
std::string MergeScript(const SharedFolder& folder, const ClusterPlan& plan,
                        const SlurmRequest& request);

// The commands that submit both scripts, with "--array=1,4-6" and "--dependency=afterany:JOB".
std::vector<std::string> TaskCommand(const SharedFolder& folder, const std::vector<int>& shards);
std::vector<std::string> MergeCommand(const SharedFolder& folder, const std::string& after_job);

// A command as a shell reads it.
std::string ShellWords(const std::vector<std::string>& command);

// Whether this machine has Slurm's commands.
bool HasSlurm();
// Returns the id of the new job. Throws ModelError with the message of sbatch if it fails.
std::string Submit(const std::vector<std::string>& command);

struct QueuedTask {
  bool is_running = false;  // otherwise it waits
  std::string node;
};
// The queued tasks of this plan, by shard. Throws ModelError if the queue cannot be read.
std::map<int, QueuedTask> QueuedTasks(const ClusterPlan& plan);

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
