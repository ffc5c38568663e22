// A fixed kernel that relates times to the machine on which they were measured. It never changes, because a change would break
// every history.
#pragma once

namespace mbsbench {

// CPU seconds of a fixed piece of floating-point work in the first-level cache, about 5 ms. It is measured with each
// timed trial and shows whether the machine itself was slower or faster.
double ControlKernelSeconds();

// CPU time of this process [s].
double ProcessCpuSeconds();

}  // namespace mbsbench
