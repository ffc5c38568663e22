// Half-explicit Runge-Kutta methods on the equations of motion of index 2, in absolute coordinates.
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry HalfExplicitEntry();

}  // namespace mbsbench
