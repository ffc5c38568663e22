#pragma once

#include <span>

#include "methods/interface/operation_count.h"
#include "problems/model/system.h"

namespace mbsbench::lie {

// Operations of the assembly in a step with a given number of iterations of Newton's method from y of the method, counted with
// the printed equations; without its linear systems.
OperationCount CountAssembly(const System& system, bool keeps_velocities, double rho,
                             std::span<const double> y, double h, int iterations);

}  // namespace mbsbench::lie
