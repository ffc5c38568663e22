#pragma once

#include <span>

#include "methods/interface/operation_count.h"
#include "problems/model/system.h"

namespace mbsbench::variational {

// Operations of the assembly in a step with a given number of iterations of Newton's method from y
// = (r, q, v, omega) of all bodies, counted with the printed equations; without its linear systems.
OperationCount CountAssembly(const System& system, std::span<const double> y, double h,
                             int iterations);

}  // namespace mbsbench::variational
