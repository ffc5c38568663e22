// Equations in joint coordinates with the joint-space inertia of composite rigid bodies (Walker and Orin
// 1982; Featherstone 2008, ch. 6), factorised on the paths of the tree (Featherstone 2005).
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry CompositeBodyEntry();

}  // namespace mbsbench
