#include "harness/store/run_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

namespace mbsbench {

namespace {

constexpr std::string_view kThen = " && ", kResume = " --resume";

std::vector<std::string> Split(const std::string& text) {
  static const std::regex then(kThen.data());
  return {std::sregex_token_iterator(text.begin(), text.end(), then, -1), {}};
}

// Without the options that apply to one call only: the next call continues the run.
std::string WithoutCallsOwn(const std::string& command) {
  static const std::regex own(R"( --(minutes|retry)[ =][^ ]+)");
  return std::regex_replace(command, own, "");
}

// Without the options for the extent of a call, the limits and the place of the store, which differ between nodes.
std::string Selection(const std::string& typed) {
  static const std::regex elsewhere(R"( --(store|time-limit|memory-limit)[ =]('[^']*'|[^ ]+))");
  std::string command = std::regex_replace(WithoutCallsOwn(typed), elsewhere, "");
  const std::size_t at = command.find(kResume);
  return at == std::string::npos ? command : command.erase(at, kResume.size());
}

std::string WithoutShard(const std::string& command) {
  static const std::regex shard(" --(shard|store)[ =]('[^']*'|[^ ]+)| --resume");
  return std::regex_replace(command, shard, "");
}

}  // namespace

std::string CommandsOfShards(const std::vector<RunRow>& runs) {
  std::vector<std::string> all;
  for (const RunRow& run : runs) {
    for (const std::string& command : Split(run.command)) {
      std::string whole = WithoutShard(command);
      if (std::ranges::find(all, whole) == all.end()) all.push_back(std::move(whole));
    }
  }
  return fmt::format("{}", fmt::join(all, kThen));
}

bool EndsWithWholePlan(const std::string& commands) {
  const std::vector<std::string> all = Split(commands);
  const auto is_of_shard = [](const std::string& command) {
    return command.find(" --shard") != std::string::npos;
  };
  const std::string last = Selection(all.back());
  return !is_of_shard(last) && std::ranges::any_of(all, [&](const std::string& command) {
    return is_of_shard(command) && WithoutShard(Selection(command)) == last;
  });
}

RunCommands WithCommand(const RunRow& run, const std::string& typed) {
  if (run.command.empty()) return {typed, ""};
  std::vector<std::string> commands = Split(run.command);
  const std::string last = Selection(commands.back());
  const bool is_last =
      !run.finished.empty() || last == Selection(typed) || WithoutShard(last) == Selection(typed);
  const auto same = std::ranges::find(commands, Selection(typed), Selection);
  if (same == commands.end()) {
    commands.insert(is_last ? commands.end() : commands.end() - 1, typed);
  } else if (is_last) {
    std::rotate(same, same + 1, commands.end());
  }
  return {fmt::format("{}", fmt::join(commands, kThen)), is_last ? "" : commands.back()};
}

std::string UnitedCommands(const std::string& a, const std::string& b) {
  std::vector<std::string> united = Split(a), others = Split(b);
  if (others.size() > united.size()) united.swap(others);
  // The last command determines when the run is finished.
  for (const std::string& other : others) {
    if (std::find(united.begin(), united.end(), other) == united.end())
      united.insert(united.end() - 1, other);
  }
  return fmt::format("{}", fmt::join(united, kThen));
}

std::string CalledAs(const std::string& program, std::string command) {
  const std::string name = "mbsbench ";  // perhaps after a variable of the environment
  const std::size_t at = command.starts_with(name) ? 0 : command.find(" " + name) + 1;
  if (command.compare(at, name.size(), name) != 0) return command;
  return command.replace(at, name.size() - 1, program);
}

std::string CommandToResume(const std::string& commands) {
  std::string last = WithoutCallsOwn(Split(commands).back());
  if (last.find(kResume) == std::string::npos) last += kResume;
  return last;
}

}  // namespace mbsbench
