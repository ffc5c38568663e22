#pragma once

#include <memory>

#include "methods/interface/batch.h"
#include "problems/model/system.h"

namespace mbsbench::articulated_body {

// The sweep in SIMD lanes, on trees with springs in joints at most. Throws ModelError otherwise.
std::unique_ptr<BatchFormulation> MakeBatch(const System& system);

}  // namespace mbsbench::articulated_body
