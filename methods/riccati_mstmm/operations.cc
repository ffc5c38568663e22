#include "methods/riccati_mstmm/sweeps.h"
#include "methods/tree_sweeps/count_sweep.h"

namespace mbsbench {

CountedOperations riccati::CountOperations(const System& system, const JointState& state) {
  return CountSweep<RiccatiSweep>(system, state);
}

}  // namespace mbsbench
