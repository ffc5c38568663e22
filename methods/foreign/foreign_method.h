#pragma once

#include "methods/foreign/c_method.h"
#include "methods/interface/method.h"

namespace mbsbench {

// The method of a library in another language as an entry. The library gives u' of trees of links; bodies on
// fixed joints, joints of several axes, force elements, observations and reactions use the shared code of
// methods in joint coordinates. Throws ModelError, with a clause that says what is missing, if the
// description cannot be used. `method` must outlive the entry.
MethodEntry ForeignMethodEntry(const mbsbench_method& method);

}  // namespace mbsbench
