// The work that a benchmark repeats and times, or whose instructions it counts.
#pragma once

#include <functional>

#include "harness/bench/cases.h"
#include "harness/runner/trials/evaluation_kernel.h"

namespace mbsbench {

struct Kernel {
  std::function<void(std::int64_t units)> run;
  std::function<Ending()> ending;  // of all units so far: ok, or how the first one failed
  int unit_size = 1;               // evaluations or solves in a unit
};

// What a case evaluates once, of a batch in each lane.
Evaluated EvaluatedIn(const BenchCase& bench_case, const PreparedCell& prepared);

Kernel MakeKernel(const BenchCase& bench_case, const std::vector<MethodEntry>& methods);
Kernel MakeControlKernel();  // the frozen one

// Runs only the kernel and is never inlined: the profiler collects between entry and return of this
// function (instructions.cc repeats its name).
extern "C" void mbsbench_measured_kernel(const Kernel* kernel, std::int64_t units);

// The least times of one evaluation or solve, which are also what is counted, over the repetitions of Google Benchmark within about
// `milliseconds`. A first unit fills the caches.
LeastTimes TimeKernel(const Kernel& kernel, double milliseconds);

}  // namespace mbsbench
