// Natural coordinates: basic points and unit vectors that neighbours share, integrated by the augmented Lagrangian method with
// projections, or by an energy-momentum scheme.
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry NaturalCoordinatesEntry();

}  // namespace mbsbench
