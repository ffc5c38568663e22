// The process of a benchmark and its requests.
//
// Request words are the same in all versions, because `bench --against` runs older executables.
#pragma once

#include <string>
#include <string_view>

#include "harness/bench/cases.h"

namespace mbsbench {

// First argument of an executable that acts as a benchmark process; the second is the request, the
// plug-ins to load follow. Not a user command.
inline constexpr std::string_view kBenchCommand = "__bench";

// What it answers to "describe".
struct DescribedBuild {
  BuildRecord build = {};
  std::vector<std::string> methods = {};  // keys

  MBSBENCH_FIELDS(build, methods)
};

struct BenchRequest {
  // "describe": the build and the methods' keys. "time": times the case for `milliseconds`.
  // "control": times the frozen control kernel in the same way. "truth": outcome, error and exact
  // counters of the case. "instructions": `units` units of the case in mbsbench_measured_kernel.
  std::string job = {};
  BenchCase bench_case = {};
  double milliseconds = 100;
  std::int64_t units = 1;

  MBSBENCH_FIELDS(job, (As, case, bench_case), milliseconds, units)
};

// Writes a TrialResult to kRecordDescriptor. Returns the exit code.
int RunBenchChild(const std::string& request, const std::vector<MethodEntry>& methods,
                  const std::vector<std::filesystem::path>& plugins);

}  // namespace mbsbench
