#pragma once

#include <span>

#include "methods/interface/operation_count.h"
#include "problems/model/system.h"

namespace mbsbench::half_explicit {

// Operations of the assembly in a step of that order from y of the method, counted with the printed equations; without its linear
// systems.
OperationCount CountAssembly(const System& system, int order, std::span<const double> y, double h);

}  // namespace mbsbench::half_explicit
