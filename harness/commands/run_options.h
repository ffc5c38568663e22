// What 'mbsbench run' and 'mbsbench submit' ask for alike: which cells, and what they may cost.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/commands/commands.h"
#include "harness/commands/options.h"
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

// The options as they were added, in order.
std::vector<CLI::Option*> AddRunOptions(CLI::App& command, RunCommandOptions& options);

// All but store, shard and progress. Loads the engines that are asked for. Throws ModelError.
RunOptions RunOptionsFrom(const RunCommandOptions& options, CommandContext& context);

}  // namespace mbsbench
