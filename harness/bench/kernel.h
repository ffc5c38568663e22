// The work that a benchmark repeats and times, or whose instructions it counts.
#pragma once

#include <memory>

#include "harness/bench/cases.h"
#include "harness/runner/trials/evaluation_kernel.h"

namespace mbsbench {

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void Run(std::int64_t units) = 0;
  virtual int unit_size() const { return 1; }  // evaluations or solves in a unit
  virtual Ending ending() const = 0;  // of all units so far: ok, or how the first one failed
};

// What a case evaluates once, of a batch in each lane.
Evaluated EvaluatedIn(const BenchCase& bench_case, const PreparedCell& prepared);

std::unique_ptr<Kernel> MakeKernel(const BenchCase& bench_case,
                                   const std::vector<MethodEntry>& methods);
std::unique_ptr<Kernel> MakeControlKernel();  // the frozen one

// Runs only the kernel and is never inlined: the profiler collects between entry and return of this
// function (instructions.cc repeats its name).
extern "C" void mbsbench_measured_kernel(Kernel* kernel, std::int64_t units);

// The least times of one evaluation or solve, which are also what is counted, over the repetitions of Google Benchmark within about
// `milliseconds`. A first unit fills the caches.
LeastTimes TimeKernel(Kernel& kernel, double milliseconds);

}  // namespace mbsbench
