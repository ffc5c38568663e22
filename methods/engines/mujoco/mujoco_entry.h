// What the entries of MuJoCo have in common, whichever build of it computes: everything but key, title, description and
// `prepare`.
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry MujocoEntry();

}  // namespace mbsbench
