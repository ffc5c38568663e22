#include "harness/bench/instructions.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <cstdio>
#include <cstring>
#include <fstream>

#include "harness/bench/scratch_folder.h"
#include "harness/records/json_codec.h"

namespace mbsbench {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kEvaluationUnits = 10;

// "totals: 1234" of callgrind's output.
std::optional<double> Total(const fs::path& file) {
  constexpr std::string_view kTotals = "totals: ";
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(kTotals, 0) == 0) return std::stod(line.substr(kTotals.size()));
  }
  return std::nullopt;
}

InstructionCount Judge(const TrialResult& result, const fs::path& file) {
  const auto says = [&result](const char* text) {
    return result.ending.reason.find(text) != std::string::npos;
  };
  if (result.ending.outcome == Outcome::kCrashed &&
      (says("Illegal instruction") || says("this processor lacks"))) {
    return {{},
            "valgrind does not support all instructions of this build: use the preset portable"};
  }
  if (!Finished(result.ending.outcome))
    return {{}, fmt::format("{}: {}", Name(result.ending.outcome), result.ending.reason)};
  const std::optional<double> total = Total(file);
  if (!total || *total == 0) return {{}, "callgrind collected nothing: the executable is stripped"};
  return {*total / result.answer.at("count").get<double>(), ""};
}

}  // namespace

std::optional<std::string> ProfilerVersion() {
  std::FILE* const pipe = popen("command -v valgrind > /dev/null && valgrind --version", "r");
  if (pipe == nullptr) return std::nullopt;
  char answer[64] = "";  // "valgrind-3.19.0\n"
  const bool is_read = std::fgets(answer, sizeof answer, pipe) != nullptr;
  if (pclose(pipe) != 0 || !is_read) return std::nullopt;
  const std::string line(answer, std::strcspn(answer, "\n"));
  return line.substr(line.find('-') + 1);
}

std::vector<InstructionCount> CountInstructions(const Contestant& contestant,
                                                const std::vector<BenchCase>& cases,
                                                BenchProcesses& processes) {
  const ScratchFolder folder;
  Contestant resolved = contestant;
  // Under valgrind "/proc/self/exe" would be valgrind itself.
  resolved.executable = fs::canonical(contestant.executable);
  std::vector<BenchRequest> requests;
  std::vector<std::vector<std::string>> launchers;
  const auto file = [&folder](std::size_t i) { return folder.path() / std::to_string(i); };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    requests.push_back({.job = "instructions",
                        .bench_case = cases[i],
                        .units = cases[i].what == "solve" ? 1 : kEvaluationUnits});
    launchers.push_back({"/usr/bin/env", "valgrind", "--tool=callgrind", "--quiet",
                         "--toggle-collect=mbsbench_measured_kernel",
                         "--callgrind-out-file=" + file(i).string()});
  }
  const std::vector<TrialResult> results = processes.AskAll(resolved, requests, launchers);
  std::vector<InstructionCount> counts;
  for (std::size_t i = 0; i < cases.size(); ++i) counts.push_back(Judge(results[i], file(i)));
  return counts;
}

Json InstructionKey(const BuildRecord& build, const std::string& profiler_version) {
  Json key{
      {"compiler", build.compiler}, {"flags", build.flags}, {"libraries", ToJson(build.libraries)}};
  key["libraries"]["glibc"] = gnu_get_libc_version();
  key["valgrind"] = profiler_version;
  return key;
}

}  // namespace mbsbench
