#include "methods/kane_huston/operations.h"

#include <memory>

#include "methods/kane_huston/kane_equations.h"
#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/counted_in_eigen.h"

namespace mbsbench::kane_huston {

CountedOperations CountOperations(const System& system, const JointState& state) {
  return CountEvaluation(system, state, [&] {
    const auto tree = std::make_shared<const ReducedTree<Counted>>(system);
    const auto equations = std::make_shared<KaneEquations<Counted>>(*tree, system.gravity);
    equations->Hold(HeldRates(system, *tree));
    return [tree, equations](const Counted* y, Counted* ydot) {
      equations->partial_velocities.SetMotion(y, ydot);
      equations->Assemble(y);
      equations->Solve();
    };
  });
}

}  // namespace mbsbench::kane_huston
