// The error for a joint type that is not a moving tree joint.
#pragma once

#include <stdexcept>
#include <string>

#include "problems/model/system.h"

namespace mbsbench {

// Not inlined into the hot code that calls it.
[[noreturn, gnu::cold, gnu::noinline]] inline void ThrowNoTreeJoint(JointType type) {
  throw std::logic_error("no tree joint: " + std::string(Name(type)));
}

}  // namespace mbsbench
