#pragma once

#include <span>

#include "methods/interface/operation_count.h"
#include "problems/model/system.h"

namespace mbsbench::variational {

// What a step of so many iterations of Newton's method assembles from y = (r, q, v, omega) of all
// bodies, by the readable equations; nothing of its linear systems.
OperationCount CountAssembly(const System& system, std::span<const double> y, double h,
                             int iterations);

}  // namespace mbsbench::variational
