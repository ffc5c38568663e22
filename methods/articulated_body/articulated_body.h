// articulated-body: Featherstone's articulated-body algorithm (Featherstone 2008, ch. 7; Brandl,
// Johanni, Otter 1986) for trees; linear in bodies. sweep.h contains the recursion.
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry ArticulatedBodyEntry();

}  // namespace mbsbench
