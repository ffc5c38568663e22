// The sweep in double precision: the kernels that are timed.
#include "methods/articulated_body/loop_columns.h"
#include "methods/articulated_body/sweep.h"

namespace mbsbench::articulated_body {

template class Sweep<double>;
template class LoopColumns<double>;

}  // namespace mbsbench::articulated_body
