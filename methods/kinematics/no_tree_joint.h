// Where a moving joint of a tree is asked for, and the type is none that equations treat as such.
#pragma once

#include <stdexcept>
#include <string>

#include "problems/model/system.h"

namespace mbsbench {

// Out of the way of the hot code that calls it.
[[noreturn, gnu::cold, gnu::noinline]] inline void ThrowNoTreeJoint(JointType type) {
  throw std::logic_error("no tree joint: " + std::string(Name(type)));
}

}  // namespace mbsbench
