// The parts of the model that a method supports, as lists. The harness refuses a system with any other part, with
// a sentence that names the joint, body or element. A type that is added to the model later is therefore refused
// by every method that does not list it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "problems/model/system.h"

namespace mbsbench {

// Bodies that not every formulation supports. Every method supports bodies with mass and inertia.
enum class UnusualBody {
  kPoint,                // mass and no inertia
  kInertiaWithoutMass,   // inertia and no mass
  kWithoutMassOrInertia  // a massless link
};

// One list. `because`: the reason for refusing all other kinds, as a clause that ends the sentence
// of refusal.
template <class Kind>
struct Allowed {
  std::vector<Kind> kinds = {};
  std::string because = {};
  bool all = false;  // includes types that are added to the model later

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
  bool growth = false;           // rope flights, with their joints and drag
};

// For methods that use the shared joint or force code: they support later types automatically.
inline Allowed<JointType> AllTreeJoints() { return {.all = true}; }
inline Allowed<ForceElement> AllForceElements() { return {.all = true}; }
inline Allowed<MotionKind> AllMotions() { return {.all = true}; }

}  // namespace mbsbench
