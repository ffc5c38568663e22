#include "methods/cartesian_dae/operations.h"

#include "methods/cartesian_dae/cartesian_equations.h"
#include "methods/coordinates/body_dynamics.h"
#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/counted_in_eigen.h"
#include "problems/model/kinematics.h"

namespace mbsbench::cartesian {

CountedOperations CountOperations(const System& system, const JointState& state) {
  if (std::string why = WhyNotCounted(system, false); !why.empty())
    return CountedOperations::No(why);
  absolute::BodyDynamics dynamics(system);
  if (!dynamics.Start(0, {state, ForwardKinematics(system, state)}).ok() ||
      !dynamics.Accelerate(Pivots::kNewOrder).ok()) {
    return CountedOperations::No("the method cannot evaluate this state");
  }
  std::vector<double> y(absolute::kMotionSize * system.bodies.size());
  for (std::size_t b = 0; b < system.bodies.size(); ++b)
    absolute::WriteMotion(dynamics.bodies()[b], y.data() + absolute::kMotionSize * b);
  CartesianEquations<Counted> equations(system);
  const auto no_solution = [](CartesianEquations<Counted>& e) {
    e.solution.setZero(e.forces.size());
  };
  return CountAt(y, [&](const Counted* at,
                        Counted* rates) { equations.Evaluate(at, rates, no_solution); }) +
         dynamics.CountFactors();
}

}  // namespace mbsbench::cartesian
