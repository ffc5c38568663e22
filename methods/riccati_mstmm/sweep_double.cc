// The sweep in double precision: the kernels that are timed.
#include "methods/riccati_mstmm/sweeps.h"

namespace mbsbench {

template class TreeSweep<RiccatiSweep<double>, RiccatiPair<double>, double, double>;
template class LoopColumns<RiccatiSweep<double>>;

}  // namespace mbsbench
