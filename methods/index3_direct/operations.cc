#include "methods/index3_direct/operations.h"

#include "methods/index3_direct/index3_equations.h"
#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/counted_in_eigen.h"

namespace mbsbench::direct {

namespace {

const auto unsolved = [](const auto&, const auto& right) {
  return right.Zero(right.size()).eval();
};

}  // namespace

OperationCount CountAssemblyOfHht(const System& system, double alpha, std::span<const double> y,
                                  double h, int iterations) {
  Index3Equations<Counted> equations(system);
  return CountAt({y.begin(), y.end()}, [&](const Counted* begin, Counted* end) {
    equations.StepHht(Counted(alpha), Counted(h), begin, end, iterations, unsolved);
  });
}

OperationCount CountAssemblyOfBdf(const System& system, bool keeps_velocities, int order,
                                  int points, double t, std::span<const double> y, double h,
                                  int iterations) {
  Index3Equations<Counted> equations(system);
  return CountAt({y.begin(), y.end()}, [&](const Counted* begin, Counted* end) {
    equations.StepBdf(keeps_velocities, order, points, Counted(t), Counted(h), begin, end,
                      iterations, unsolved);
  });
}

}  // namespace mbsbench::direct
