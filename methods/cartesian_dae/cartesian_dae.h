// Absolute coordinates, every joint a constraint with multipliers, a sparse DAE: what
// general-purpose codes do.
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry CartesianDaeEntry();

}  // namespace mbsbench
