// How errors of the start and of the data grow along a rope flight, in what its certificate holds: the flying body,
//
//   Phi(t) = d(r / L, v T / L)(t) / d(s / L, s' T / L)(0)      s: the way along the rail, 4 x 2
//
// and the data part alike. The system grows at events, so that flights are solved apart, by steps of their own, and
// derivatives are differences by 1e-7 of flights that are known to 1e-10.
#pragma once

#include "reference/sensitivity.h"

namespace mbsbench::extended {

Sensitivity SensitivityOfFlight(const Problem& problem, const Progress& progress = {});

}  // namespace mbsbench::extended
