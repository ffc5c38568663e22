#include "methods/half_explicit/operations.h"

#include "methods/half_explicit/half_explicit_equations.h"
#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/counted_in_eigen.h"

namespace mbsbench::half_explicit {

OperationCount CountAssembly(const System& system, int order, std::span<const double> y, double h) {
  HalfExplicitEquations<Counted> equations(system, order);
  const auto unsolved = [](const auto&, const auto& right) {
    return right.Zero(right.size()).eval();
  };
  return CountAt({y.begin(), y.end()}, [&](const Counted* begin, Counted* end) {
    equations.Step(Counted(h), begin, end, unsolved);
  });
}

}  // namespace mbsbench::half_explicit
