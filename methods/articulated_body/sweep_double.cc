// The sweep in double precision: the kernels that are timed.
#include "methods/articulated_body/sweep.h"

namespace mbsbench::articulated_body {

template class Sweep<double>;

}  // namespace mbsbench::articulated_body
