#include "methods/equivalent_particles/operations.h"

#include "methods/equivalent_particles/attia_equations.h"
#include "methods/equivalent_particles/body_motion.h"
#include "methods/numerics/count_evaluation.h"
#include "methods/numerics/counted_in_eigen.h"
#include "problems/model/eigen.h"
#include "problems/model/kinematics.h"

namespace mbsbench::equivalent_particles {

CountedOperations CountOperations(const System& system, const JointState& state) {
  if (std::string why = WhyNotCounted(system, false); !why.empty())
    return CountedOperations::No(why);
  const ParticleTree tree = MakeParticleTree(system);
  std::vector<double> y(6 * static_cast<std::size_t>(tree.particles));
  BodyMotion(tree).ParticlesOf(ForwardKinematics(system, state), y.data(), y.data() + y.size() / 2);
  AttiaEquations<Counted> equations(tree, ToEigen(system.gravity));
  return CountAt(y, [&](const Counted* at, Counted* rates) { equations.Evaluate(at, rates); });
}

}  // namespace mbsbench::equivalent_particles
