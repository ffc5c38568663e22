// The smallest system that still breaks a promise, so that there is little to look through.
#pragma once

#include <functional>

#include "harness/conform/tried_system.h"

namespace mbsbench {

// Takes bodies at the tips, loop joints, force elements and drivers away one by one, as long as `breaks` holds
// of what is left. The motion of what is left stays as it was.
TriedSystem Smallest(TriedSystem tried, const std::function<bool(const TriedSystem&)>& breaks);

}  // namespace mbsbench
