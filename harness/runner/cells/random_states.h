// States of a problem other than the initial one, for comparisons of methods and timed evaluations.
#pragma once

#include <cstdint>
#include <optional>

#include "problems/model/problem.h"

namespace mbsbench {

// The initial state, loops closed.
SystemState InitialState(const Problem& problem);

// A consistent state away from the initial one, at which evaluations are timed. In a tree every joint is turned and moving at
// random, a driven joint at its driver's rate; a planar problem stays in its plane. A system with loops is moved from its
// initial state by up to a tenth and closed again. Empty where no such state was found.
std::optional<SystemState> MovedState(const Problem& problem, std::uint64_t seed);

// The initial state with every coordinate and rate moved by `size` times a random number of [-1, 1) in units of L, 1, L/T and
// 1/T, with loops closed again. Driven joints are not moved, nor are freely turning joints of planar problems. The numbers
// depend on the seed only, so that -size moves to the other side.
SystemState MovedStart(const Problem& problem, double size, std::uint64_t seed);

}  // namespace mbsbench
