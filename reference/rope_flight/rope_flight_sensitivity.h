// The growth of errors of the start and of the data along a rope flight, for the flying body, whose motion the
// certificate contains,
//
//   Phi(t) = d(r / L, v T / L)(t) / d(s / L, s' T / L)(0)      s: the way along the rail, 4 x 2
//
// and similarly the data part. The system grows at events, so flights are solved separately, each with its own
// steps, and derivatives are differences for perturbations of 1e-7 of flights that are accurate to 1e-10.
#pragma once

#include "reference/sensitivity.h"

namespace mbsbench::extended {

Sensitivity SensitivityOfFlight(const Problem& problem, const Progress& progress = {});

}  // namespace mbsbench::extended
