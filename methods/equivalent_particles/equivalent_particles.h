// The equivalent-particles method as one line of the method list.
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry EquivalentParticlesEntry();

}  // namespace mbsbench
