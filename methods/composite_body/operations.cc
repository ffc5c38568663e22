#include "methods/composite_body/operations.h"

#include "methods/composite_body/joint_space_equations.h"
#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/counted_in_eigen.h"

namespace mbsbench::composite_body {

CountedOperations CountOperations(const System& system, const JointState& state) {
  return CountEvaluation(system, state, [&system] {
    return
        [equations = JointSpaceEquations<Counted>(MakeGroupTree<Counted>(system), system.gravity)](
            const Counted* y, Counted* ydot) mutable {
          equations.PassMotion(y, ydot);
          equations.Assemble(y);
          equations.inertia().Factorise(equations.scale().data());
          equations.inertia().Solve(equations.right_side().data());
        };
  });
}

}  // namespace mbsbench::composite_body
