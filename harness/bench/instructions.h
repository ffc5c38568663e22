// Instructions of the fixed kernels, counted by callgrind around the kernel only: the same to a
// millionth on a busy machine and on a quiet one.
#pragma once

#include <filesystem>
#include <optional>

#include "harness/bench/contestant.h"

namespace mbsbench {

// valgrind, where it is installed.
struct Profiler {
  std::filesystem::path path;
  std::string version;  // "3.19.0"
};
std::optional<Profiler> FindProfiler();

struct InstructionCount {
  std::optional<double> instructions;  // of one evaluation or solve
  std::string reason;                  // why there are none
};
std::vector<InstructionCount> CountInstructions(const Contestant& contestant,
                                                const std::vector<BenchCase>& cases,
                                                const Profiler& profiler,
                                                BenchProcesses& processes);

// What counts depend on: compiler, flags, versions of libraries, of the C library and of valgrind.
// (Not the processor: valgrind shows programs one of its own.)
Json InstructionKey(const Json& build, const Profiler& profiler);

}  // namespace mbsbench
