#include "methods/riccati_mstmm/general_sweep_inline.h"
#include "methods/riccati_mstmm/loop_columns_inline.h"

namespace mbsbench {

template int SweepToRoot(const JointTree&, bool, SweepSpace<double>&);
template void SweepToTips(const JointTree&, SweepSpace<double>&, double*);
template class RiccatiLoopColumns<double>;

}  // namespace mbsbench
