// An executable that is asked for benchmarks, each in a fresh process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/bench/bench_child.h"
#include "harness/runner/supervisor.h"

namespace mbsbench {

// Two of these are paired: two executables with one method, or one executable with two methods.
struct Contestant {
  std::filesystem::path executable;
  std::vector<std::filesystem::path> plugins = {};
  std::string method = {};  // instead of the case's own; empty: that one
};

class BenchProcesses {
 public:
  BenchProcesses() : supervisor_("") {}

  // In a process pinned to the core for timing.
  TrialResult Ask(const Contestant& contestant, BenchRequest request);
  // Side by side, as many as there are cores; `launcher` is put before the executable.
  std::vector<TrialResult> AskAll(const Contestant& contestant,
                                  const std::vector<BenchRequest>& requests,
                                  const std::vector<std::vector<std::string>>& launchers);

 private:
  static std::vector<std::string> Command(const Contestant& contestant, BenchRequest request);
  Supervisor supervisor_;
};

// What an executable says of itself: {"build": BuildDocument, "methods": [keys]}. Throws ModelError
// where it is absent, cannot be run, or is no mbsbench that knows benchmarks.
Json Describe(const Contestant& contestant, BenchProcesses& processes);

}  // namespace mbsbench
