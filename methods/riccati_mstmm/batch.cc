#include "methods/riccati_mstmm/sweeps.h"
#include "methods/tree_sweeps/sweep_batch.h"

namespace mbsbench {

std::unique_ptr<BatchFormulation> riccati::MakeBatch(const System& system) {
  RequireTreeForBatch(system, "riccati-mstmm");
  return std::make_unique<SweepBatch<RiccatiSweep>>(system);
}

}  // namespace mbsbench
