#include "harness/commands/robot_options.h"

#include "harness/commands/text.h"

namespace mbsbench {

void AddRobotOptions(CLI::App& command, RobotOptions& options) {
  command
      .add_option("--state", options.state,
                  "State file of a robot file (base fixed, all joints at zero and at rest)")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--mimic", [&options](const std::string&) { options.mimic_is_free = true; },
          "Of a robot file: joints that mimic others move by themselves")
      ->check(CLI::IsMember({"free"}))
      ->type_name("free");
  command.add_flag("--accept-inertia", options.accept_inertia,
                   "Of a robot file: take an inertia as it is, though it is that of no body");
}

std::string RobotOrProblem(const std::string& problem, const RobotOptions& options) {
  if (IsRobotFile(problem)) return WithRobotOptions(problem, options);
  if (options.state.empty() && !options.mimic_is_free && !options.accept_inertia && !options.end)
    return problem;
  throw ModelError(
      "--state, --mimic and --accept-inertia belong to a robot file (.urdf, .mjcf, .sdf), and '" +
      problem + "' is none: leave them out.");
}

void RequireEnd(const std::string& problem, bool is_given) {
  if (is_given || !IsRobotFile(problem) || RobotOptionsOf(problem).end) return;
  throw ModelError("a robot file states no end of the motion: give one by --end SECONDS.");
}

void PrintWarnings(const Problem& problem) {
  for (const std::string& warning : problem.warnings) Print(stderr, "warning: {}\n", warning);
}

}  // namespace mbsbench
