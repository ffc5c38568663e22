// The folder that all nodes share while a plan is run in shards: the plan and its results.
//
//   plan.json               read by every task; written once, by 'mbsbench submit'
//   task.sh, merge.sh       the job scripts
//   shards/3.sqlite         store of a finished shard; moved here in one step
//   shards/3.part.sqlite    store of a shard that was stopped early
//   shards/3.NODE.journal   finished trials of an unfinished shard
//   shards/3.failed         why the task of a shard ended early, one sentence
//   logs/3.log              output of the tasks of a shard
//   results.sqlite, report/ written by the last job
//
// No SQLite file is ever opened in this folder: a task works on the disk of its node.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/store/store.h"

namespace mbsbench {

struct ClusterPlan {
  std::string id = {};    // random hexadecimal, part of the names of the jobs
  std::string plan = {};  // PlanHash
  int shards = 1;
  std::vector<std::string> executable = {};  // with the options before the command
  std::string binary_hash = {};
  std::vector<std::string> arguments = {};  // of 'mbsbench run', without --shard and --store
  std::string folder = {};                  // absolute; the arguments are relative to it
  PlanRecord document = {};

  MBSBENCH_FIELDS(id, plan, shards, executable, binary_hash, arguments, folder, document)
  std::string JobName() const { return "mbsbench-" + id.substr(0, 8); }
  std::string ContentOf(int shard) const;  // "12 items of pendulum, fourbar"
};

class SharedFolder {
 public:
  // Throws ModelError if there is no such folder or it is not writable.
  static SharedFolder OpenToWrite(const std::filesystem::path& path);
  // A folder that holds a plan.
  static SharedFolder Open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  bool HasPlan() const;
  ClusterPlan ReadPlan()
      const;  // throws ModelError if there is no plan that this mbsbench can read
  void Write(const ClusterPlan& plan) const;

  std::filesystem::path Finished(int shard) const { return FileOf(shard, "sqlite"); }
  std::filesystem::path Partial(int shard) const { return FileOf(shard, "part.sqlite"); }
  std::filesystem::path Failed(int shard) const { return FileOf(shard, "failed"); }
  std::filesystem::path Journal(int shard, const std::string& node) const {
    return FileOf(shard, node + ".journal");
  }
  // One of every task that started the shard.
  std::vector<std::filesystem::path> Journals(int shard) const;
  std::filesystem::path LogOf(const std::string& name) const {
    return path_ / "logs" / (name + ".log");
  }

  // Whether the store of the shard is present. Throws ModelError if the file is truncated.
  bool IsFinished(int shard) const;

 private:
  explicit SharedFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path FileOf(int shard, const std::string& kind) const {
    return path_ / "shards" / (std::to_string(shard) + "." + kind);
  }
  std::filesystem::path path_;  // absolute
};

// The option that names the folder, for messages.
inline constexpr char kSharedOption[] = "--shared";

}  // namespace mbsbench
