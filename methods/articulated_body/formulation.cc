#include "methods/articulated_body/sweeps.h"
#include "methods/tree_sweeps/sweep_formulation.h"

namespace mbsbench {

template class AlikeSubtrees<articulated_body::Sweep>;

std::unique_ptr<Formulation> articulated_body::MakeFormulation(const GivenSystem& system,
                                                               Stabilisation stabilisation,
                                                               int threads) {
  return std::make_unique<SweepFormulation<Sweep>>(system, stabilisation, threads);
}

}  // namespace mbsbench
