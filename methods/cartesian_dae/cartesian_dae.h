// Absolute coordinates, every joint a constraint with multipliers, a sparse DAE, as in
// general-purpose codes.
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry CartesianDaeEntry();

}  // namespace mbsbench
