// mbsbench status: the progress of the shards of a shared folder.
#include "harness/cluster/slurm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "commands/options.h"
#include "commands/text.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// Reads the queue. Returns why that was not possible; empty: it was.
std::string ReadQueue(const ClusterPlan& plan, std::map<int, QueuedTask>& queued) {
  if (!HasSlurm()) return "this machine has no Slurm: shards that run or wait are shown as missing";
  try {
    queued = QueuedTasks(plan);
  } catch (const ModelError& error) {
    return std::string(error.what()) + " Shards that run or wait are shown as missing.";
  }
  return "";
}

std::string DetailsOf(const ClusterPlan& plan, const ShardStatus& status) {
  std::string text;
  if (!status.node.empty()) text += "on " + status.node + ", ";
  if (status.trials > 0) text += fmt::format("{} trials so far, ", status.trials);
  if (!status.reason.empty()) text += status.reason + ", ";
  return text + plan.ContentOf(status.shard);
}

void PrintStatus(const std::string& path) {
  const SharedFolder folder = SharedFolder::Open(path);
  const ClusterPlan plan = folder.ReadPlan();
  std::map<int, QueuedTask> queued;
  const std::string unknown = ReadQueue(plan, queued);
  std::map<ShardProgress, int> counts;
  for (const ShardStatus& status : StatusOf(folder, plan, queued)) {
    ++counts[status.progress];
    PrintWrapped(fmt::format("{:>5}  {:<8} ", status.shard, Name(status.progress)),
                 DetailsOf(plan, status));
  }
  std::vector<std::string> sums;
  for (const auto& [progress, count] : counts)
    sums.push_back(fmt::format("{} {}", count, Name(progress)));
  Print("{} shards: {}\n", plan.shards, fmt::join(sums, ", "));
  if (!unknown.empty()) Print("{}\n", unknown);
  if (counts.count(ShardProgress::kFailed) + counts.count(ShardProgress::kMissing) > 0)
    Print(
        "'mbsbench submit' with the same selection and folder submits failed and missing shards\n");
}

}  // namespace

void AddStatusCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "status",
      "Show which shards of a shared folder are done, running, waiting, failed or missing",
      "Example:\n  mbsbench status /shared/comparison");
  const auto folder = std::make_shared<std::string>();
  AddArgument(*command, "FOLDER", *folder, "Folder that was given to submit");
  command->callback([folder, &context] { PrintStatus(*folder); });
}

}  // namespace mbsbench
