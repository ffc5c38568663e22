#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problems/model/problem.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// Why `name` cannot be used in sentences, tables and files ("is empty"); empty if it can.
std::string NameFault(std::string_view name);

// Throws ModelError naming the body, joint or force element and the rule that it breaks: names
// unique and not empty, all numbers finite, masses and inertias physical (triangle inequality),
// frame quaternions unit to 1e-6, every index valid, the joints a tree over all bodies, loop joints
// of a type that can close a loop. `inertias_as_given`: bodies of Problem::inertias_as_given.
void Validate(const System& system, const std::vector<int>& inertias_as_given = {});

// Validates a joint state: sizes, finiteness, unit quaternions to 1e-6.
void Validate(const System& system, const JointState& state);

// A motion cannot end earlier [s]: the squares of its steps would vanish.
inline constexpr double kShortestMotion = 1e-30;

// Validates a whole problem, its system and initial state included: times and scales positive,
// names of observables unique, every index valid. Assemble checks whether the loops close.
void Validate(const Problem& problem);

}  // namespace mbsbench
