// Slurm: the job scripts of a shared folder, and what the queue says of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/cluster/shared_folder.h"

namespace mbsbench {

struct SlurmRequest {
  std::string partition = {}, account = {}, constraint = {};  // empty: the cluster's default
  int minutes = 0;                             // of each task; 0: the partition's limit
  bool exclusive = false;                      // whole nodes
  std::int64_t megabytes = 0;                  // of each task; a whole node has all of its own
};

// Runs shard I as task I of a job array. Refuses a processor that lacks one of these instruction sets before it starts
// the executable.
std::string TaskScript(const SharedFolder& folder, const ClusterPlan& plan,
                       const SlurmRequest& request,
                       const std::vector<std::string>& instruction_sets);
// Joins the shards that have finished, and writes the report.
std::string MergeScript(const SharedFolder& folder, const ClusterPlan& plan,
                        const SlurmRequest& request);

// The commands by which these are submitted, "--array=1,4-6" and "--dependency=afterany:JOB" among their words.
std::vector<std::string> TaskCommand(const SharedFolder& folder, const std::vector<int>& shards);
std::vector<std::string> MergeCommand(const SharedFolder& folder, const std::string& after_job);

// Whether this machine has Slurm's commands.
bool HasSlurm();
// The id of the new job. Throws ModelError with what sbatch says where it refuses.
std::string Submit(const std::vector<std::string>& command);

struct QueuedTask {
  bool is_running = false;  // else it waits
  std::string node;
};
// By shard, what the queue holds of this plan. Throws ModelError where the queue cannot be read.
std::map<int, QueuedTask> QueuedTasks(const ClusterPlan& plan);

// Throws ModelError where none of the nodes that the request admits can run this executable, as far as Slurm knows: by
// their architecture, and by instruction sets among their features.
void CheckNodes(const SlurmRequest& request);
// The same on what `scontrol show node --oneliner` prints.
void CheckNodes(const std::string& nodes, const SlurmRequest& request);

}  // namespace mbsbench
