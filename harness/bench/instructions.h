// Instructions of the fixed kernels, counted by callgrind around the kernel only. Counts on a busy
// and on a quiet machine agree to a millionth.
#pragma once

#include <optional>
#include <string>

#include "harness/bench/contestant.h"

namespace mbsbench {

// The version of valgrind, "3.19.0", if it is installed.
std::optional<std::string> ProfilerVersion();

struct InstructionCount {
  std::optional<double> instructions;  // of one evaluation or solve
  std::string reason;                  // why there is no count
};
std::vector<InstructionCount> CountInstructions(const Contestant& contestant,
                                                const std::vector<BenchCase>& cases,
                                                BenchProcesses& processes);

// The key of a count: compiler, flags, versions of libraries, of the C library and of valgrind.
// (Not the processor: valgrind emulates one of its own.)
Json InstructionKey(const BuildRecord& build, const std::string& profiler_version);

}  // namespace mbsbench
