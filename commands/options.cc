#include "commands/options.h"

#include <fmt/format.h>

#include <charconv>

#include "commands/text.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

template <typename Number>
std::optional<Number> NumberIn(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

bool Accepts(const NumberRule& rule, const std::string& text) {
  if (rule.needed != nullptr) {
    const MaybeNumber number = FiniteNumber(text);
    return number && rule.holds(*number);
  }
  // The parser would read "010" as an octal number.
  const auto number = NumberIn<std::uint64_t>(text);
  return number && (text == "0" || !text.starts_with('0')) && rule.least <= *number &&
         *number <= rule.most;
}

}  // namespace

MaybeNumber FiniteNumber(const std::string& text) { return IfFinite(NumberIn<double>(text)); }

CLI::App* AddCommand(CLI::App& app, const std::string& name, const std::string& title,
                     const std::string& help) {
  CLI::App* const command = app.add_subcommand(name, title);
  const bool has_codes = help.find("Exit codes:") != std::string::npos;
  command->footer(has_codes ? help : help + "\n\n" + kExitCodesHelp);
  return command;
}

CLI::Option* Require(CLI::Option* option, const NumberRule& rule) {
  return option->check([option, rule](const std::string& value) {
    if (value.empty() || Accepts(rule, value)) return std::string();
    throw ModelError(
        fmt::format("{} is {}: {} is needed.", option->get_name(), value,
                    rule.needed != nullptr
                        ? rule.needed
                        : fmt::format("a whole number from {} to {}", rule.least, rule.most)));
  });
}

CLI::Option* AddProblem(CLI::App& command, std::string& problem) {
  return AddArgument(command, "PROBLEM", problem,
                     "Name of a problem with its options (branchN:bodies=500), a model file, or a "
                     "robot file (.urdf, .mjcf, .sdf)");
}

CLI::Option* AddMethod(CLI::App& command, std::string& method) {
  return AddArgument(command, "METHOD", method,
                     "Key of a method, with its options (cartesian-dae:ggl)");
}

CLI::Option* AddStore(CLI::App& command, std::string& store, const char* meaning) {
  return AddOption(command, "--store", store, "FILE", meaning);
}

void AddRobotOptions(CLI::App& command, RobotOptions& options) {
  command
      .add_option(
          "--state", options.state,
          "State file of a robot file (default: base fixed, all joints at zero and at rest)")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--mimic", [&options](const std::string&) { options.mimic_is_free = true; },
          "Of a robot file: joints that mimic others move independently")
      ->check([](const std::string& value) {
        return value == "free" || value.empty() ? ""
                                                : "only 'free' is possible, not '" + value + "'";
      })
      ->type_name("free");
  command.add_flag("--accept-inertia", options.accept_inertia,
                   "Of a robot file: accept an inertia that no rigid body can have");
  command.add_flag("--weld-massless", options.weld_massless,
                   "Of a robot file: joints that move only links without mass are fixed");
  Require(command
              .add_option("--loop-precision", options.loop_precision,
                          "Of a robot file: how exact the frames of its loops are, relative to the "
                          "lengths around a loop (default: as the loops close)")
              ->type_name("NUMBER"),
          {"a number from 1e-16 to 1e-5",
           [](double x) { return x >= 1e-16 && x <= kMostLoopPrecision; }});
  command.add_flag(
      "--strict", options.strict,
      "Of a robot file: refuse elements and attributes that are not known, instead of a "
      "warning (model files are always read so)");
}

std::string RobotOrProblem(const std::string& problem, const RobotOptions& options) {
  if (IsRobotFile(problem)) return WithRobotOptions(problem, options);
  for (const auto& [name, is_given] : {std::pair{"--state", !options.state.empty()},
                                       {"--mimic", options.mimic_is_free},
                                       {"--accept-inertia", options.accept_inertia},
                                       {"--weld-massless", options.weld_massless},
                                       {"--loop-precision", options.loop_precision != 0},
                                       {"--end", options.end.has_value()}}) {
    if (!is_given) continue;
    LoadProblem(problem);  // a mistyped name is the first mistake
    throw ModelError(fmt::format(
        "{} is for a robot file (.urdf, .mjcf, .sdf), and '{}' is not one: leave it out.", name,
        problem));
  }
  return problem;
}

void RequireEnd(const std::string& problem, bool is_given) {
  if (is_given || !IsRobotFile(problem) || RobotOptionsOf(problem).end) return;
  throw ModelError("a robot file states no end of the motion: give one by --end SECONDS.");
}

Problem LoadMotion(const std::string& name, bool end_is_given) {
  Problem problem = LoadProblem(name);
  RequireEnd(name, end_is_given);
  PrintWarnings(problem.warnings, stderr);
  return problem;
}

}  // namespace mbsbench
