#include "methods/natural_coordinates/operations.h"

#include "methods/natural_coordinates/natural_equations.h"
#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/counted_in_eigen.h"

namespace mbsbench::natural {

OperationCount CountAssembly(const System& system, double weight, int passes,
                             std::span<const double> y, double h, int iterations) {
  NaturalEquations<Counted> equations(system, weight, passes);
  const auto unsolved = [](const auto&, const auto& right) {
    return right.Zero(right.size()).eval();
  };
  return CountAt({y.begin(), y.end()}, [&](const Counted* begin, Counted* end) {
    equations.Step(Counted(h), begin, end, iterations, unsolved);
  });
}

}  // namespace mbsbench::natural
