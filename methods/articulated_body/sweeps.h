// The parts of the entry, each in its own source: kernels in double precision, in SIMD lanes, and with the counting scalar.
#pragma once

#include <memory>

#include "methods/articulated_body/sweep.h"
#include "methods/interface/batch.h"
#include "methods/interface/operation_count.h"
#include "methods/tree_sweeps/alike_subtrees.h"
#include "methods/tree_sweeps/loop_columns.h"
#include "problems/model/given_system.h"

namespace mbsbench {

extern template class AlikeSubtrees<articulated_body::Sweep>;
extern template class LoopColumns<articulated_body::Sweep<double>>;

namespace articulated_body {

std::unique_ptr<Formulation> MakeFormulation(const GivenSystem& system, Stabilisation stabilisation,
                                             int threads);
// Throws ModelError on systems with loops and with springs between bodies.
std::unique_ptr<BatchFormulation> MakeBatch(const System& system);
// No count for systems with loops, force elements or springs in joints.
CountedOperations CountOperations(const System& system, const JointState& state);

}  // namespace articulated_body

}  // namespace mbsbench
