#include "methods/steady_state_newton/pair_forces_inline.h"

namespace mbsbench::steady {

template void CutJointRows(const RelativeTree<double>&, const Joint&,
                           std::vector<UnitWrench<double>>&);
template Pull<double> PullOf(const RelativeTree<double>&, const SpringDamper&);

}  // namespace mbsbench::steady
