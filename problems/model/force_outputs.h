// What force elements exert and store in a state, for the evaluation of a solution. methods/kinematics and reference
// evaluate the same forces for the equations of motion, independently.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

struct StateAtTime {
  double time;
  const std::vector<BodyState>& bodies;
  const JointState& joints;
};

// Numbers that describe the action of one element.
struct ForceOutputs {
  std::string element;
  std::vector<std::string> names;  // with units: "length_m", "tension_N"
  // One value per name.
  std::function<void(const StateAtTime& state, std::vector<double>& values)> append;
};
// Those of all elements but applied forces, which are given. `system` must outlive them.
std::vector<ForceOutputs> ForceOutputsOf(const System& system);

// Potential of all force elements [J]. `joints` may be empty where no spring acts on a joint.
double PotentialOf(const System& system, const std::vector<BodyState>& bodies,
                   const JointState& joints);

// Between the two points of a spring [m].
double LengthOf(const SpringDamper& spring, const std::vector<BodyState>& bodies);

}  // namespace mbsbench
