// Discrete Euler-Lagrange equations in absolute coordinates: the action is discretised, not the
// equations of motion.
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry VariationalEntry();

}  // namespace mbsbench
