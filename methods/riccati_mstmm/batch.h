#pragma once

#include <memory>

#include "methods/interface/batch.h"
#include "problems/model/system.h"

namespace mbsbench {

// The sweeps of `general` in SIMD lanes, on trees with springs in joints at most. Throws ModelError
// otherwise.
std::unique_ptr<BatchFormulation> MakeRiccatiBatch(const System& system);

}  // namespace mbsbench
