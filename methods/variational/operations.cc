#include "methods/variational/operations.h"

#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/counted_in_eigen.h"
#include "methods/variational/discrete_equations.h"

namespace mbsbench::variational {

OperationCount CountAssembly(const System& system, std::span<const double> y, double h,
                             int iterations) {
  DiscreteEquations<Counted> equations(system);
  const auto unsolved = [](const auto&, const auto& right) {
    return right.Zero(right.size()).eval();
  };
  return CountAt({y.begin(), y.end()}, [&](const Counted* begin, Counted* end) {
    equations.Step(Counted(h), begin, end, iterations, unsolved);
  });
}

}  // namespace mbsbench::variational
