#include "methods/riccati_mstmm/sweeps.h"
#include "methods/tree_sweeps/sweep_formulation.h"

namespace mbsbench {

template class AlikeSubtrees<RiccatiSweep>;

std::unique_ptr<Formulation> riccati::MakeGeneral(const GivenSystem& system,
                                                  Stabilisation stabilisation) {
  return std::make_unique<SweepFormulation<RiccatiSweep>>(system, stabilisation);
}

}  // namespace mbsbench
