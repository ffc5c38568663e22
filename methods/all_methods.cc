#include "methods/all_methods.h"

#include "methods/articulated_body/articulated_body.h"
#include "methods/cartesian_dae/cartesian_dae.h"
#include "methods/classical_mstmm/classical_mstmm.h"
#include "methods/composite_body/composite_body.h"
#include "methods/equivalent_particles/equivalent_particles.h"
#include "methods/kane_huston/kane_huston.h"
#include "methods/riccati_mstmm/riccati_mstmm.h"
#include "methods/steady_state_newton/steady_state_newton.h"
#include "methods/variational/variational.h"

namespace mbsbench {

const std::vector<MethodEntry>& AllMethods() {
  static const std::vector<MethodEntry> methods{
      RiccatiMstmmEntry(),      ClassicalMstmmEntry(), ArticulatedBodyEntry(),
      KaneHustonEntry(),        CartesianDaeEntry(),   EquivalentParticlesEntry(),
      SteadyStateNewtonEntry(), CompositeBodyEntry(),  VariationalEntry(),
  };
  return methods;
}

}  // namespace mbsbench
