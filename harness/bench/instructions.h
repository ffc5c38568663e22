// Instructions of the fixed kernels, counted by callgrind around the kernel only. Counts on a busy
// and on a quiet machine agree to a millionth.
#pragma once

#include <filesystem>
#include <optional>

#include "harness/bench/contestant.h"

namespace mbsbench {

// Valgrind, if it is installed.
struct Profiler {
  std::filesystem::path path;
  std::string version;  // "3.19.0"
};
std::optional<Profiler> FindProfiler();

struct InstructionCount {
  std::optional<double> instructions;  // of one evaluation or solve
  std::string reason;                  // why there is no count
};
std::vector<InstructionCount> CountInstructions(const Contestant& contestant,
                                                const std::vector<BenchCase>& cases,
                                                const Profiler& profiler,
                                                BenchProcesses& processes);

// The key of a count: compiler, flags, versions of libraries, of the C library and of valgrind.
// (Not the processor: valgrind emulates one of its own.)
Json InstructionKey(const BuildRecord& build, const Profiler& profiler);

}  // namespace mbsbench
