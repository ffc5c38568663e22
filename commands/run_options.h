// The options that 'mbsbench run' and 'mbsbench submit' share: which cells to run, and their limits.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "commands/commands.h"
#include "commands/options.h"
#include "harness/runner/run.h"

namespace mbsbench {

struct RunCommandOptions {
  Selection selection;
  RobotOptions robot;  // for the robot files among the problems
  bool quick = false, full = false;
  std::optional<int> rounds;
  std::optional<double> minutes, time_limit, memory_limit;
  std::uint64_t seed = 1;
};

// Returns the options in the order in which they were added.
std::vector<CLI::Option*> AddRunOptions(CLI::App& command, RunCommandOptions& options);

// Everything except store, shard and progress. Loads the requested engines. Throws ModelError.
RunOptions RunOptionsFrom(const RunCommandOptions& options, CommandContext& context);

}  // namespace mbsbench
