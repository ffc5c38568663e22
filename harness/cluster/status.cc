#include "harness/cluster/status.h"

#include <array>
#include <fstream>

#include "harness/cluster/journal.h"

namespace mbsbench {

std::string_view Name(ShardProgress progress) {
  constexpr std::array kNames{"done", "running", "waiting", "failed", "missing"};
  return kNames.at(static_cast<std::size_t>(progress));
}

std::vector<ShardStatus> StatusOf(const SharedFolder& folder, const ClusterPlan& plan,
                                  const std::map<int, QueuedTask>& queued) {
  std::vector<ShardStatus> all;
  for (int shard = 1; shard <= plan.shards; ++shard) {
    ShardStatus& status = all.emplace_back();
    status.shard = shard;
    if (folder.IsFinished(shard)) {
      status.progress = ShardProgress::kDone;
      continue;
    }
    for (const std::filesystem::path& journal : folder.Journals(shard))
      status.trials += TrialsInJournal(journal);
    const auto task = queued.find(shard);
    std::ifstream failed(folder.Failed(shard));
    if (task != queued.end()) {
      status.progress = task->second.is_running ? ShardProgress::kRunning : ShardProgress::kWaiting;
      status.node = task->second.node;
    } else if (failed) {
      status.progress = ShardProgress::kFailed;
      std::getline(failed, status.reason);
    }
  }
  return all;
}

}  // namespace mbsbench
