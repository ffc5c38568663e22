// What a model is, as `mbsbench check` prints it: so that its author sees what was understood.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

// Degrees of freedom in two ways.
struct FreedomCount {
  int counted = 0;  // Gruebler: 6 per body less the constraints of all joints; may be negative
  // By the rank of the constraint Jacobian at the assembled initial state; none where the loops are too
  // many for dense algebra. Greater than `counted` where constraints are redundant.
  std::optional<int> by_rank;
};
FreedomCount CountFreedoms(const Problem& problem, const SystemState& state);

struct MassProperties {
  double mass = 0;  // [kg]
  Vector3 centre;   // [m]; the origin for a system without mass
  Matrix3 inertia;  // about the centre, inertial axes [kg m^2]
};
MassProperties MassPropertiesOf(const System& system, const std::vector<BodyState>& bodies);

// The joints as a tree in ASCII, the ground at its root; long unbranched stretches and whatever exceeds
// `most_lines` are told by number.
std::string TopologyTree(const System& system, int most_lines = 200);

// The whole report. `verdicts` are what each method says of the system: its name and a sentence. Throws
// ModelError when the problem is not sound.
using MethodVerdict = std::pair<std::string, std::string>;
std::string CheckReport(const Problem& problem, const std::vector<MethodVerdict>& verdicts);

}  // namespace mbsbench
