// The smallest system that still breaks a promise, because a small system is easier to debug.
#pragma once

#include <functional>

#include "harness/conform/tried_system.h"

namespace mbsbench {

// Removes tip bodies, loop joints, force elements and drivers one by one, as long as `breaks` holds for the
// remaining system. The motion of the remaining bodies is unchanged.
TriedSystem Smallest(TriedSystem tried, const std::function<bool(const TriedSystem&)>& breaks);

}  // namespace mbsbench
