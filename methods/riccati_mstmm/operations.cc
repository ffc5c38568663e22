#include "methods/riccati_mstmm/operations.h"

#include "methods/numerics/count_evaluation.h"
#include "methods/riccati_mstmm/general_sweep_inline.h"

namespace mbsbench {

CountedOperations CountRiccatiOperations(const System& system, const JointState& state) {
  return CountEvaluation(system, state, [&system] {
    const JointTree tree = MakeJointTree(system);
    return [tree, space = SweepSpace<Counted>(tree)](const Counted* y, Counted* ydot) mutable {
      CalcMotion(tree, y, space.motions.data(), ydot);
      SweepToRoot(tree, false, space);
      SweepToTips(tree, space, ydot);
    };
  });
}

}  // namespace mbsbench
