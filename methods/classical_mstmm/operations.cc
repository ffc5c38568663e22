#include "methods/classical_mstmm/operations.h"

#include "methods/classical_mstmm/dense_lu.h"
#include "methods/classical_mstmm/overall_equations.h"
#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/counted_in_eigen.h"

namespace mbsbench {

namespace {

template <int Dimension>
OperationCount Count(const System& system, const Plane& plane, const JointState& state) {
  OverallEquations<Dimension, Counted> equations(system, plane);
  const auto unsolved = [](const auto&, const auto& right) { return right; };
  return *CountEvaluation(system, state, [&] {
    return [&](const Counted* y, Counted* ydot) { equations.Evaluate(y, ydot, unsolved); };
  }) + DenseLu::CountOperations(equations.unknowns());
}

}  // namespace

CountedOperations CountClassicalOperations(const System& system, const Plane* plane,
                                           const JointState& state) {
  if (std::string why = WhyNotCounted(system, false); !why.empty())
    return CountedOperations::No(why);
  return plane != nullptr ? Count<2>(system, *plane, state) : Count<3>(system, {}, state);
}

}  // namespace mbsbench
