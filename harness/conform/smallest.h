// The smallest system that still breaks a promise, because a small system is easier to debug.
#pragma once

#include <functional>

#include "harness/conform/tried_system.h"

namespace mbsbench {

// The wall time that a reduction may take on behalf of a user; the smallest model so far counts then.
inline constexpr double kReductionSeconds = 60;

// Removes tip bodies, many at a time at first, then tip bodies, loop joints, force elements and drivers one by one, as long as
// `breaks` holds for the remaining system. The motion of the remaining bodies is unchanged. A trial that throws ModelError
// counts as one that does not break.
TriedSystem Smallest(TriedSystem tried, const std::function<bool(const TriedSystem&)>& breaks);

// Smallest, then in numbers of one to three digits if `breaks` still holds.
TriedSystem SmallestInFewDigits(TriedSystem tried,
                                const std::function<bool(const TriedSystem&)>& breaks);

}  // namespace mbsbench
