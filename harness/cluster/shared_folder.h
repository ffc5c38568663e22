// The folder that all nodes share while a plan is run in shards: what is asked for, and what has come of it.
//
//   plan.json               what every task reads; written once, by 'mbsbench submit'
//   task.sh, merge.sh       the job scripts
//   shards/3.sqlite         store of a shard that has finished; moved here in one step
//   shards/3.part.sqlite    the same of one that was ended before it had
//   shards/3.NODE.journal   finished trials of a shard that has not
//   shards/3.failed         why the task of a shard ended early, one sentence
//   logs/3.log              what the tasks of a shard printed
//   results.sqlite, report/ what the last job merged
//
// No SQLite file is ever opened in it: a task works on its node's own disk.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/store/store.h"

namespace mbsbench {

struct ClusterPlan {
  std::string id = {};    // random hexadecimal: names the jobs of this folder
  std::string hash = {};  // PlanHash
  int shards = 1;
  std::vector<std::string> executable = {};  // with the options that come before a command
  std::string binary_hash = {};
  std::vector<std::string> arguments = {};  // of 'mbsbench run', without shard and store
  std::string folder = {};                  // in which these are read, absolute
  PlanRecord document = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("id", r.id);
    field("plan", r.hash);
    field("shards", r.shards);
    field("executable", r.executable);
    field("binary_hash", r.binary_hash);
    field("arguments", r.arguments);
    field("folder", r.folder);
    field("document", r.document);
  }
  std::string JobName() const { return "mbsbench-" + id.substr(0, 8); }
  std::vector<std::string> ProblemsOf(int shard) const;
  std::int64_t CellsOf(int shard) const;
};

class SharedFolder {
 public:
  // Throws ModelError where there is no such folder or nothing can be written to it.
  static SharedFolder OpenToWrite(const std::filesystem::path& path);
  // The same, for one that holds a plan already.
  static SharedFolder Open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  bool HasPlan() const;
  ClusterPlan ReadPlan()
      const;  // throws ModelError where there is none that this mbsbench can read
  void Write(const ClusterPlan& plan) const;

  std::filesystem::path Finished(int shard) const;
  std::filesystem::path Partial(int shard) const;
  std::filesystem::path Failed(int shard) const;
  // Of every task that began it.
  std::vector<std::filesystem::path> Journals(int shard) const;
  std::filesystem::path Journal(int shard, const std::string& node) const;
  std::filesystem::path LogOf(const std::string& name) const;

  // Whether the shard's store is there. Throws ModelError where the file was cut short.
  bool IsFinished(int shard) const;
  // Copies a file into the folder, so that it is there as a whole or not at all.
  void Deliver(const std::filesystem::path& file, const std::filesystem::path& place) const;

 private:
  explicit SharedFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;  // absolute
};

// Replaces a file by this text in one step. Throws ModelError.
void WriteWhole(const std::filesystem::path& path, const std::string& text);

}  // namespace mbsbench
