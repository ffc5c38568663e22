// Two committed kernels by which times are related to the machine they were taken on. They never
// change: a change would cut every history in two.
#pragma once

namespace mbsbench {

// CPU seconds of a fixed piece of floating-point work in the first-level cache, about 5 ms:
// measured with each timed trial, it shows whether the machine itself was slower or faster
// meanwhile.
double ControlKernelSeconds();

// Scalar multiply-adds of one core: 1e9 floating-point operations per second, a multiply-add
// counted as two. The best of several short measurements. CPU times are compared across machines
// after scaling by it only.
double ScalarGigaflops();

// CPU time of this process [s].
double ProcessCpuSeconds();

}  // namespace mbsbench
