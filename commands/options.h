// Arguments and options that several commands share, and the checks of their values.
#pragma once

#include <string>
#include <type_traits>

#include "commands/commands.h"
#include "problems/io/robot_file.h"

namespace mbsbench {

// An option and the type of its value; help shows its default, if it has one. A list takes one value per mention.
template <typename Value>
CLI::Option* AddOption(CLI::App& command, const char* name, Value& value, const char* type,
                       const std::string& meaning) {
  CLI::Option* const option = command.add_option(name, value, meaning)->type_name(type);
  if constexpr (std::is_same_v<Value, std::vector<std::string>>) option->allow_extra_args(false);
  if constexpr (std::is_same_v<Value, std::string>) {
    if (!value.empty()) option->capture_default_str();
  }
  if constexpr (std::is_arithmetic_v<Value>) option->capture_default_str();
  return option;
}

// The numbers that an option accepts. The parser refuses other values by one sentence:
// "--rounds is 0: a whole number from 1 to 1000 is needed."
struct NumberRule {
  const char* needed = nullptr;     // null: a whole number from `least` to `most`
  bool (*holds)(double) = nullptr;  // of a finite number
  std::uint64_t least = 0, most = 0;
};
constexpr NumberRule WholeNumber(std::uint64_t least, std::uint64_t most) {
  return {nullptr, nullptr, least, most};
}
inline constexpr NumberRule kAboveZero{"a finite number above 0", [](double x) { return x > 0; }};
inline constexpr NumberRule kTolerance{"a number above 0 and up to 1",
                                       [](double x) { return x > 0 && x <= 1; }};
inline constexpr NumberRule kSeconds{"a number of seconds above 0 and below 1e7",
                                     [](double x) { return x > 0 && x < 1e7; }};
inline constexpr NumberRule kMinutes{"a number of minutes above 0 and below 1e7",
                                     [](double x) { return x > 0 && x < 1e7; }};
CLI::Option* Require(CLI::Option* option, const NumberRule& rule);

// The finite number that a text is; empty: it is none.
MaybeNumber FiniteNumber(const std::string& text);

template <typename Value>
CLI::Option* AddNumber(CLI::App& command, const char* name, Value& value, const char* type,
                       const NumberRule& rule, const std::string& meaning) {
  return Require(AddOption(command, name, value, type, meaning), rule);
}

// A required argument without a dash.
template <typename Value>
CLI::Option* AddArgument(CLI::App& command, const char* name, Value& value, const char* meaning) {
  return command.add_option(name, value, meaning)->required()->type_name("");
}
CLI::Option* AddProblem(CLI::App& command, std::string& problem);
CLI::Option* AddMethod(CLI::App& command, std::string& method);
CLI::Option* AddStore(CLI::App& command, std::string& store,
                      const char* meaning = "File of the store");

// --state, --mimic=free, --accept-inertia, --weld-massless, --loop-precision, --strict: how a robot file is read.
void AddRobotOptions(CLI::App& command, RobotOptions& options);

// The problem's name with these options. Throws ModelError if there are any and it is not a robot file.
std::string RobotOrProblem(const std::string& problem, const RobotOptions& options);

// Throws ModelError for a robot file without an end time, which a motion needs.
void RequireEnd(const std::string& problem, bool is_given);

// The problem of a motion; RequireEnd holds, and what its file holds and the model leaves out is printed.
Problem LoadMotion(const std::string& problem, bool end_is_given);

}  // namespace mbsbench
