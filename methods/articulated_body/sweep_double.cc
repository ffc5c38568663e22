// The sweep in double precision: the kernels that are timed.
#include "methods/articulated_body/sweeps.h"

namespace mbsbench {

template class TreeSweep<articulated_body::Sweep<double>,
                         articulated_body::ArticulatedInertia<double>, double, double>;
template class LoopColumns<articulated_body::Sweep<double>>;

}  // namespace mbsbench
