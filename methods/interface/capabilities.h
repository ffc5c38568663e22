// What a method takes of the model, as lists of what is allowed. The harness refuses a system that needs anything
// else by a sentence that names the joint, body or element. So whatever is added to the model later is refused by
// every method that does not list it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "problems/model/system.h"

namespace mbsbench {

// The lists of System that hold force elements.
enum class ForceElement { kSpringDamper, kJointSpringDamper, kAppliedForce, kGroundSpring };

// Bodies that not every formulation can hold. Every method takes those with mass and inertia.
enum class UnusualBody {
  kPoint,                // mass and no inertia
  kInertiaWithoutMass,   // inertia and no mass
  kWithoutMassOrInertia  // a massless link
};

// One list. `because`: why nothing else is allowed, as a clause that ends the sentence of refusal.
template <class Kind>
struct Allowed {
  std::vector<Kind> kinds = {};
  std::string because = {};
  bool all = false;  // types that the model will have later, too

  bool Has(Kind kind) const {
    return all || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  }
};

struct Capabilities {
  Allowed<JointType> tree_joints = {};
  Allowed<JointType> loop_joints = {};  // none: chains and trees only
  Allowed<ForceElement> force_elements = {};
  Allowed<MotionKind> drivers = {};
  Allowed<UnusualBody> bodies = {};
  bool motion_in_space = false;  // false: systems whose tree joints keep every body in one plane
  bool growth = false;           // rope flights, of which joints and drag are a part
};

// For methods whose joint or force code is shared by all: later types come to them by themselves.
inline Allowed<JointType> AllTreeJoints() { return {.all = true}; }
inline Allowed<ForceElement> AllForceElements() { return {.all = true}; }
inline Allowed<MotionKind> AllMotions() { return {.all = true}; }

}  // namespace mbsbench
