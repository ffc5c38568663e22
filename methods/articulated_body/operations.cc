#include "methods/articulated_body/operations.h"

#include "methods/articulated_body/sweep.h"
#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/group_tree.h"

namespace mbsbench::articulated_body {

CountedOperations CountOperations(const System& system, const JointState& state) {
  return CountEvaluation(system, state, [&system] {
    return [sweep = Sweep<Counted>(MakeGroupTree<Counted>(system), system.gravity)](
               const Counted* y, Counted* ydot) mutable {
      sweep.PassMotion(y, ydot);
      sweep.PassInertia();
      sweep.PassAcceleration(y, ydot);
    };
  });
}

}  // namespace mbsbench::articulated_body
