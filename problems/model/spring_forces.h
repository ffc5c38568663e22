// Forces of springs and bushings in a state, for the evaluation of a solution. methods/kinematics and reference
// evaluate the same forces for the equations of motion, independently.
#pragma once

#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

struct SpringState {
  double length = 0;   // between its two points [m]
  double tension = 0;  // k (l - free_length) + c l', positive when it pulls [N]
};
SpringState SpringStateOf(const SpringDamper& spring, const std::vector<BodyState>& bodies);
// Generalised force -k (q - free_coordinate) - c q' along the joint's coordinate [N m] or [N].
double EffortOf(const JointSpringDamper& spring, const System& system, const JointState& joints);
// What a bushing exerts on its second body, inertial axes.
struct BushingAction {
  Vector3 force;        // at the origin of frame B [N]
  Vector3 moment;       // [N m]
  Quaternion relative;  // of frame B, from that of A
};
BushingAction ActionOf(const Bushing& bushing, const std::vector<BodyState>& bodies);
// Force -k (n . r - free_position) - c n . v along the direction n [N].
double ForceOf(const GroundSpring& spring, const std::vector<BodyState>& bodies);

}  // namespace mbsbench
