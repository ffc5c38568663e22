// The report of `mbsbench check`, which shows the author of a model how it was read.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

// Degrees of freedom, by counting and by rank.
struct FreedomCount {
  int counted = 0;  // Gruebler: 6 per body less the constraints of all joints; may be negative
  // By the rank of the constraint Jacobian at the assembled initial state; empty if there are too
  // many loops for dense algebra. Greater than `counted` if constraints are redundant.
  std::optional<int> by_rank;
};
FreedomCount CountFreedoms(const Problem& problem, const SystemState& state);

struct MassProperties {
  double mass = 0;  // [kg]
  Vector3 centre;   // [m]; the origin for a system without mass
  Matrix3 inertia;  // about the centre, inertial axes [kg m^2]
};
MassProperties MassPropertiesOf(const System& system, const std::vector<BodyState>& bodies);

// The joints as an ASCII tree with the ground at its root. Long unbranched stretches, and
// everything beyond `most_lines`, are shown as a count.
std::string TopologyTree(const System& system, int most_lines = 200);

// The whole report. `verdicts`: the name of each method, and a sentence on whether it supports the
// system. Throws ModelError if the problem is invalid.
using MethodVerdict = std::pair<std::string, std::string>;
std::string CheckReport(const Problem& problem, const std::vector<MethodVerdict>& verdicts);

}  // namespace mbsbench
