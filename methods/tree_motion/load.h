#pragma once

#include "methods/numerics/block_algebra.h"

namespace mbsbench {

// Force and moment about a group's origin, inertial axes.
template <class T>
struct Load {
  Vec<T> force, moment;
};

}  // namespace mbsbench
