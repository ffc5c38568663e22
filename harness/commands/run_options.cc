#include "harness/commands/run_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "problems/io/model_file.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// The default limits of each size of a run.
struct Budget {
  Tier tier;
  int rounds;
  double seconds_per_trial;
};
Budget BudgetOf(const RunCommandOptions& o) {
  if (o.quick) return {Tier::kQuick, 3, 20};
  if (o.full) return {Tier::kFull, 7, 600};
  return {Tier::kDefault, 3, 60};
}

// The options of a robot file become part of its name, so that every trial reads the same robot.
void ReadRobots(const RobotOptions& robot, std::vector<std::string>& problems) {
  bool has_robots = false;
  for (std::string& problem : problems) {
    if (!IsRobotFile(problem)) continue;
    has_robots = true;
    problem = WithRobotOptions(problem, robot);
    LoadMotion(problem, false);
  }
  if (!has_robots && (!robot.state.empty() || robot.end)) {
    throw ModelError(
        "--state and --end belong to a robot file (.urdf, .mjcf, .sdf): name one by --problem.");
  }
}

}  // namespace

RunOptions RunOptionsFrom(const RunCommandOptions& o, CommandContext& context) {
  const Budget budget = BudgetOf(o);
  RunOptions options;
  options.selection = o.selection;
  options.selection.tier = budget.tier;
  ReadRobots(o.robot, options.selection.problems);
  options.executable = "/proc/self/exe";  // this executable, even if its file has been replaced
  options.plugins = context.plugins;
  AskForEngines(o.selection.methods, context);
  options.engines = context.engines;
  options.command = context.typed;
  options.rounds = o.rounds.value_or(budget.rounds);
  if (o.minutes) options.budget = 60 * *o.minutes;
  options.limits.seconds = o.time_limit.value_or(budget.seconds_per_trial);
  options.limits.bytes = o.memory_limit ? static_cast<std::int64_t>(*o.memory_limit * (1 << 20))
                                        : DefaultMemoryLimit();
  options.seed = o.seed;
  return options;
}

std::vector<CLI::Option*> AddRunOptions(CLI::App& command, RunCommandOptions& o) {
  Selection& s = o.selection;
  std::vector<CLI::Option*> added;
  const auto add = [&](const char* name, auto& value, const char* meaning, const char* type) {
    added.push_back(command.add_option(name, value, meaning)->type_name(type));
    return added.back();
  };
  const auto flag = [&](const char* name, bool& value, const char* meaning) {
    added.push_back(command.add_flag(name, value, meaning));
    return added.back();
  };
  add("--problem", s.problems, "Problems to run, model files and robot files among them (all)",
      "GLOB")
      ->allow_extra_args(false);
  add("--method", s.methods, "Methods to run (all variants of all)", "GLOB")
      ->allow_extra_args(false);
  add("--integrator", s.integrators, "Integrators to run (all that fit)", "GLOB")
      ->allow_extra_args(false);
  add("--tag", s.tags,
      "Only problems with this tag: planar, spatial, conservative, dissipative, tree, loops, "
      "quick, default, full",
      "TAG")
      ->allow_extra_args(false);
  flag("--evaluations-only", s.evaluations_only,
       "Compare and time single evaluations, and integrate nothing");
  flag("--budgets", s.budgets,
       "Split the error of one cell per curve into its parts, last of all; --full always does");
  CLI::Option* const quick =
      flag("--quick", o.quick, "Small problems, three tolerances each: a minute or two");
  flag("--full", o.full, "Everything, every decade of tolerance, 7 rounds: hours")->excludes(quick);
  add("--state", o.robot.state, "State file of the robot file among the problems", "FILE");
  RequireNumber(
      add("--end", o.robot.end, "End time of the robot file among the problems [s]", "NUMBER"),
      kAboveZero);
  RequireNumber(
      add("--minutes", o.minutes,
          "Stop after so many minutes: every method on every problem comes first, then depth; "
          "--resume continues (no limit)",
          "M"),
      kMinutes);
  RequireWholeNumber(add("--rounds", o.rounds, "Timed rounds per cell (3; full 7)", "N"), 1, 1000);
  RequireNumber(
      add("--time-limit", o.time_limit, "Seconds per trial (60; quick 20, full 600)", "S"),
      kSeconds);
  RequireNumber(
      add("--memory-limit", o.memory_limit,
          "Megabytes per trial (a quarter of the machine, at most 8192)", "MB"),
      {"a number of megabytes, 16 or more,", [](double x) { return x >= 16 && x < 1e9; }});
  RequireWholeNumber(add("--seed", o.seed, "Seed of random states and of the order of rounds", "N"),
                     0, UINT64_MAX)
      ->capture_default_str();
  return added;
}

}  // namespace mbsbench
