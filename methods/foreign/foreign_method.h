#pragma once

#include "methods/foreign/c_method.h"
#include "methods/interface/method.h"

namespace mbsbench {

// The method of a library in another language as an entry. The library gives u' of trees of links; bodies on
// fixed joints, joints of several axes, force elements, observations and reactions are what methods in
// joint coordinates share. Throws ModelError, a clause that says what is missing, where the description
// cannot be used. `method` has to outlive the entry.
MethodEntry ForeignMethodEntry(const mbsbench_method& method);

}  // namespace mbsbench
