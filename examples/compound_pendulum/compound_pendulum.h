#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry CompoundPendulumEntry();

}  // namespace mbsbench
