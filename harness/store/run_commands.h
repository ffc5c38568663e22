// The commands that made one run in a store.
#pragma once

#include <string>
#include <vector>

#include "harness/store/store.h"

namespace mbsbench {

// A run continued by several commands stores each of them once, in the form of a shell command: "a &&
// b". The run is finished when the last command has finished.
struct RunCommands {
  std::string all;
  std::string awaited;  // the last command if it differs from the one typed now, else empty
};

// Continues `run` with `typed`. It becomes the last command if the run was finished. An interrupted
// run is completed only by the command that was interrupted, regardless of `--resume` and
// `--minutes`, or, if that ran one shard of a plan, by the command that runs the whole plan.
RunCommands WithCommand(const RunRow& run, const std::string& typed);

// The commands of all shards of a plan, each once, without the options that belong to one shard: --shard, --store, --resume.
// `runs`: oldest first.
std::string CommandsOfShards(const std::vector<RunRow>& runs);

// Whether the last command ran the whole plan of which an earlier one ran a shard.
bool EndsWithWholePlan(const std::string& commands);

// The commands of two copies of one run, in the order of the longer list.
std::string UnitedCommands(const std::string& a, const std::string& b);

// The command that completes the run of these commands after an interruption or the end of its minutes: the last one with
// `--resume` and without `--minutes`.
std::string CommandToResume(const std::string& commands);

// A command with the program as it was called, instead of its bare name.
std::string CalledAs(const std::string& program, std::string command);

}  // namespace mbsbench
