#include "commands/run_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "problems/io/model_file.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

const NumberRule kTarget{"a number from 1e-12 to 0.1",
                         [](double x) { return x >= kFinestTarget && x <= kCoarsestTarget; }};

// The default limits of each size of a run.
struct Budget {
  Tier tier;
  int rounds;
  double seconds_per_trial;
};
Budget BudgetOf(const RunCommandOptions& o) {
  if (o.quick) return {Tier::kQuick, 3, 20};
  if (o.full) return {Tier::kFull, 7, 600};
  return {Tier::kDefault, 3, 15};
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
  if (o.rounds) options.looks = {*o.rounds};
  if (o.minutes) options.budget = 60 * *o.minutes;
  options.limits.seconds = o.time_limit.value_or(budget.seconds_per_trial);
  options.limits.bytes = o.memory_limit ? static_cast<std::int64_t>(*o.memory_limit * (1 << 20))
                                        : DefaultMemoryLimit();
  options.seed = o.seed;
  return options;
}

std::vector<CLI::Option*> AddRunOptions(CLI::App& command, RunCommandOptions& o) {
  Selection& s = o.selection;
  const std::vector<CLI::Option*> others = command.get_options();
  AddOption(command, "--problem", s.problems, "GLOB",
            "Problems to run, including model files and robot files (all)");
  AddOption(command, "--method", s.methods, "GLOB",
            "Methods to run (the default variant of each; full: all variants)");
  AddOption(command, "--integrator", s.integrators, "GLOB",
            "Integrators to run (the default one of each method; full: all that fit)");
  command.add_flag("--evaluations-only", s.evaluations_only,
                   "Compare and time single evaluations, and integrate nothing");
  command.add_flag("--budgets", s.budgets,
                   "Split the error of one cell per curve into its parts at the end; "
                   "--full always does");
  CLI::Option* const quick = command.add_flag(
      "--quick", o.quick, "Small problems, three tolerances each: a minute or two");
  command.add_flag("--full", o.full, "Everything, every decade of tolerance, 7 rounds: hours")
      ->excludes(quick);
  AddNumber(command, "--target", s.targets, "E", kTarget,
            "Error for which the coarsest settings are searched and timed; may be repeated (1e-3, "
            "1e-6, 1e-9)")
      ->excludes(quick);
  command.add_flag("--ladder", s.ladder,
                   "Also run and time a ladder of tolerances and steps, for diagrams of work over "
                   "precision; --full always does");
  AddOption(command, "--state", o.robot.state, "FILE",
            "State file of the robot file among the problems");
  AddNumber(command, "--end", o.robot.end, "NUMBER", kAboveZero,
            "End time of the robot file among the problems [s]");
  command.add_flag("--strict", o.robot.strict,
                   "Refuse robot files with elements or attributes that are not known");
  AddNumber(command, "--minutes", o.minutes, "M", kMinutes,
            "Stop after so many minutes, planning included: one target on the headline problems "
            "comes first, then depth; --resume continues (no limit)");
  AddNumber(command, "--rounds", o.rounds, "N", WholeNumber(1, 1000),
            "Timed rounds per cell (3, and up to 20 where a verdict is open; ladder of --full: 7)");
  AddNumber(command, "--time-limit", o.time_limit, "S", kSeconds,
            "Seconds of CPU time per trial (15; quick 20, full 600)");
  AddNumber(command, "--memory-limit", o.memory_limit, "MB",
            {"a number of megabytes, 16 or more,", [](double x) { return x >= 16 && x < 1e9; }},
            "Megabytes per trial (a quarter of the machine, at most 8192)");
  AddNumber(command, "--seed", o.seed, "N", WholeNumber(0, UINT64_MAX),
            "Seed of random states and of the order of rounds");
  std::vector<CLI::Option*> added = command.get_options();
  std::erase_if(added, [&](CLI::Option* option) { return std::ranges::count(others, option) > 0; });
  return added;
}

}  // namespace mbsbench
