#include "methods/articulated_body/sweeps.h"
#include "methods/tree_sweeps/sweep_batch.h"

namespace mbsbench {

std::unique_ptr<BatchFormulation> articulated_body::MakeBatch(const System& system) {
  RequireTreeForBatch(system, "articulated-body");
  return std::make_unique<SweepBatch<Sweep>>(system);
}

}  // namespace mbsbench
