// An executable that runs benchmarks, each in a fresh process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/bench/bench_child.h"
#include "harness/runner/process/supervisor.h"

namespace mbsbench {

// One side of a pair: two executables with one method, or one executable with two methods.
struct Contestant {
  std::filesystem::path executable;
  std::vector<std::filesystem::path> plugins = {};
  std::string method = {};  // replaces the case's method; empty: keeps it
};

class BenchProcesses {
 public:
  // `methods` must outlive this object.
  explicit BenchProcesses(const std::vector<MethodEntry>& methods)
      : methods_(methods), supervisor_("") {}

  // Runs a benchmark in a process pinned to the core for timing, and to one more core for each further thread of the method.
  TrialResult Ask(const Contestant& contestant, BenchRequest request);
  // Runs one process per core at a time; the words of its launcher precede the executable in the command.
  std::vector<TrialResult> AskAll(const Contestant& contestant,
                                  const std::vector<BenchRequest>& requests,
                                  const std::vector<std::vector<std::string>>& launchers);

 private:
  const std::vector<MethodEntry>& methods_;
  Supervisor supervisor_;
};

// Throws ModelError if the executable is missing, cannot be run, or is not an mbsbench with benchmarks.
DescribedBuild Describe(const Contestant& contestant, BenchProcesses& processes);

}  // namespace mbsbench
