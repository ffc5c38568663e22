#include "harness/bench/instructions.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <cstdio>
#include <fstream>
#include <sstream>

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

std::optional<Profiler> FindProfiler() {
  std::FILE* pipe = popen("command -v valgrind && valgrind --version", "r");
  if (pipe == nullptr) return std::nullopt;
  std::string answer;  // "/usr/bin/valgrind\nvalgrind-3.19.0\n"
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) answer += static_cast<char>(c);
  if (pclose(pipe) != 0) return std::nullopt;
  Profiler found;
  std::string path, version;
  std::istringstream lines(answer);
  std::getline(lines, path) && std::getline(lines, version);
  found.path = path;
  found.version = version.substr(version.find('-') + 1);
  return found;
}

std::vector<InstructionCount> CountInstructions(const Contestant& contestant,
                                                const std::vector<BenchCase>& cases,
                                                const Profiler& profiler,
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
    launchers.push_back({profiler.path, "--tool=callgrind", "--quiet",
                         "--toggle-collect=mbsbench_measured_kernel",
                         "--callgrind-out-file=" + file(i).string()});
  }
  const std::vector<TrialResult> results = processes.AskAll(resolved, requests, launchers);
  std::vector<InstructionCount> counts;
  for (std::size_t i = 0; i < cases.size(); ++i) counts.push_back(Judge(results[i], file(i)));
  return counts;
}

Json InstructionKey(const BuildRecord& build, const Profiler& profiler) {
  Json key{
      {"compiler", build.compiler}, {"flags", build.flags}, {"libraries", ToJson(build.libraries)}};
  key["libraries"]["glibc"] = gnu_get_libc_version();
  key["valgrind"] = profiler.version;
  return key;
}

}  // namespace mbsbench
