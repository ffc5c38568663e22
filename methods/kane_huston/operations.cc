#include "methods/kane_huston/operations.h"

#include <memory>

#include "methods/kane_huston/kane_equations.h"
#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/counted_in_eigen.h"

namespace mbsbench::kane_huston {

CountedOperations CountOperations(const System& system, const JointState& state) {
  return CountEvaluation(system, state, [&] {
    const auto tree = std::make_shared<const ReducedTree>(Reduce(system));
    const auto equations = std::make_shared<KaneEquations<Counted>>(*tree, system.gravity);
    equations->Hold(HeldRates(system, *tree));
    return [tree, equations, coordinates = state.q.size()](const Counted* y, Counted* ydot) {
      const Counted* const u = y + coordinates;
      equations->partial_velocities.SetMotion(y, u);
      equations->Assemble(u);
      equations->Solve();
      for (const Node& node : tree->nodes) {
        ForMovingJoint(node.type, [&](auto joint) {
          CoordinateRates<decltype(joint)>(y + node.q, u + node.u, ydot + node.q);
        });
      }
    };
  });
}

}  // namespace mbsbench::kane_huston
