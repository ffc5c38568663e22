#include "methods/steady_state_newton/operations.h"

#include "methods/numerics/counted_in_eigen.h"
#include "methods/steady_state_newton/steady_equations_inline.h"

namespace mbsbench::steady {

CountedOperations CountOperations(const System& system, const JointState& state) {
  SteadyEquations<Counted> equations(system);
  std::vector<double> start(equations.size(), 0.0);
  equations.StartAt(state, start);
  std::vector<Counted> z, f(start.size()), values(equations.pattern().row.size());
  for (double value : start) z.emplace_back(value);
  counted = {};
  equations.CalcResidual(z, f);
  equations.CalcJacobian(z, values);
  return {counted, "residual and Jacobian"};
}

}  // namespace mbsbench::steady
