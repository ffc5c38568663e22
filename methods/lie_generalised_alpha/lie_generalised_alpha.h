// The generalised-alpha method on the Lie group SO(3) x R3 of each body's pose, with constraints in absolute coordinates.
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry LieGeneralisedAlphaEntry();

}  // namespace mbsbench
