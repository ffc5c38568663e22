#include "methods/articulated_body/sweeps.h"
#include "methods/tree_sweeps/count_sweep.h"

namespace mbsbench {

CountedOperations articulated_body::CountOperations(const System& system, const JointState& state) {
  return CountSweep<Sweep>(system, state);
}

}  // namespace mbsbench
