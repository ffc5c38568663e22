#pragma once

#include <span>

#include "methods/interface/operation_count.h"
#include "problems/model/system.h"

namespace mbsbench::natural {

// Operations of the assembly in a step of `ali3p` with a given number of iterations from [q | q' | q'' | lambda], counted with the
// printed equations; without its linear systems.
OperationCount CountAssembly(const System& system, double weight, int passes,
                             std::span<const double> y, double h, int iterations);

}  // namespace mbsbench::natural
