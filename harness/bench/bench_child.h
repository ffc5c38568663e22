// What a benchmark's process is asked, and the process itself.
//
// The words are stable from version to version, because `bench --against` asks executables older
// than itself.
#pragma once

#include <string>
#include <string_view>

#include "harness/bench/cases.h"

namespace mbsbench {

// First argument of an executable that is to act as a benchmark's process; the second is the
// request, then the plug-ins to load. No command of the user's.
inline constexpr std::string_view kBenchCommand = "__bench";

struct BenchRequest {
  // "describe": the build and the methods' keys. "time": the case for `milliseconds`. "control": the
  // frozen control kernel likewise. "truth": outcome, error and exact counters of the case.
  // "instructions": `units` units of the case in mbsbench_measured_kernel.
  std::string job;
  BenchCase bench_case = {};
  double milliseconds = 100;
  std::int64_t units = 1;
};
Json ToJson(const BenchRequest& request);

// Writes a TrialResult to kRecordDescriptor. Returns the exit code.
int RunBenchChild(const std::string& request, const std::vector<MethodEntry>& methods,
                  const std::vector<std::filesystem::path>& plugins);

}  // namespace mbsbench
