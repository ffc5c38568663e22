#include "methods/lie_generalised_alpha/operations.h"

#include "methods/lie_generalised_alpha/lie_equations.h"
#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/counted_in_eigen.h"

namespace mbsbench::lie {

OperationCount CountAssembly(const System& system, bool keeps_velocities, double rho,
                             std::span<const double> y, double h, int iterations) {
  LieEquations<Counted> equations(system, keeps_velocities, rho);
  const auto unsolved = [](const auto&, const auto& right) {
    return right.Zero(right.size()).eval();
  };
  return CountAt({y.begin(), y.end()}, [&](const Counted* begin, Counted* end) {
    equations.Step(Counted(h), begin, end, iterations, unsolved);
  });
}

}  // namespace mbsbench::lie
