// Two fixed kernels that relate times to the machine on which they were measured. They never change, because a
// change would break every history.
#pragma once

namespace mbsbench {

// CPU seconds of a fixed piece of floating-point work in the first-level cache, about 5 ms. It is measured with each
// timed trial and shows whether the machine itself was slower or faster.
double ControlKernelSeconds();

// Scalar multiply-adds of one core: 1e9 floating-point operations per second, a multiply-add
// counted as two. The best of several short measurements. CPU times are compared across machines
// after scaling by it only.
double ScalarGigaflops();

// CPU time of this process [s].
double ProcessCpuSeconds();

}  // namespace mbsbench
