#pragma once

#include <span>

#include "methods/interface/operation_count.h"
#include "problems/model/system.h"

namespace mbsbench::direct {

// Operations of the assembly in a step of the HHT method with a given number of iterations of Newton's method from y of the method,
// counted with the printed equations; without its linear systems.
OperationCount CountAssemblyOfHht(const System& system, double alpha, std::span<const double> y,
                                  double h, int iterations);
// Counts a step from t with the formula of an order, where y has `points` past motions.
OperationCount CountAssemblyOfBdf(const System& system, bool keeps_velocities, int order,
                                  int points, double t, std::span<const double> y, double h,
                                  int iterations);

}  // namespace mbsbench::direct
