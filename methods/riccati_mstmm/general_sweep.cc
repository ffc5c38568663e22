#include "methods/riccati_mstmm/general_sweep_inline.h"
#include "methods/riccati_mstmm/loop_columns_inline.h"

namespace mbsbench {

template int SweepToRoot(const JointTree&, bool, SweepSpace<double>&);
template int SweepToRootForReactions(const JointTree&, bool, SweepSpace<double>&);
template void SweepSpace<double>::EnableReactions(const JointTree&);
template void SweepToTips(const JointTree&, SweepSpace<double>&, double*);
template class RiccatiLoopColumns<double>;

void SweepToTipsWithReactions(const JointTree& tree, SweepSpace<double>& space, double* ydot,
                              std::span<JointReaction> reactions) {
  for (std::size_t r = 0; r < tree.runs.size(); ++r) {
    ForHinge(tree.runs[r], [&](auto hinge) {
      general_sweep::SweepRunToTips<decltype(hinge), true>(
          tree, tree.runs[r], space, ydot, space.wrenches.of_run(r), reactions.data());
    });
  }
}

}  // namespace mbsbench
