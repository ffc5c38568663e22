// The parts of the variant `general`, each in its own source: kernels in double precision, in SIMD lanes, and with the counting scalar.
#pragma once

#include <memory>

#include "methods/interface/batch.h"
#include "methods/interface/operation_count.h"
#include "methods/riccati_mstmm/general_sweep.h"
#include "methods/tree_sweeps/alike_subtrees.h"
#include "methods/tree_sweeps/loop_columns.h"
#include "problems/model/given_system.h"

namespace mbsbench {

extern template class AlikeSubtrees<RiccatiSweep>;
extern template class LoopColumns<RiccatiSweep<double>>;

namespace riccati {

std::unique_ptr<Formulation> MakeGeneral(const GivenSystem& system, Stabilisation stabilisation);
// Throws ModelError on systems with loops and with springs between bodies.
std::unique_ptr<BatchFormulation> MakeBatch(const System& system);
// No count for systems with loops, force elements or springs in joints.
CountedOperations CountOperations(const System& system, const JointState& state);

}  // namespace riccati

}  // namespace mbsbench
