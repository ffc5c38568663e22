// The arithmetic of the three passes of a sweep.
#pragma once

#include "methods/numerics/count_evaluation.h"
#include "methods/tree_motion/group_tree.h"

namespace mbsbench {

// SweepOf<T, C>: a TreeSweep. No count for systems with loops, force elements or springs in joints.
template <template <class, class> class SweepOf>
CountedOperations CountSweep(const System& system, const JointState& state) {
  return CountEvaluation(system, state, [&system] {
    return [sweep = SweepOf<Counted, Counted>(MakeGroupTree<Counted>(system), system.gravity)](
               const Counted* y, Counted* ydot) mutable {
      sweep.PassMotion(y, ydot);
      sweep.PassInertia();
      sweep.PassAcceleration(y, ydot);
    };
  });
}

}  // namespace mbsbench
