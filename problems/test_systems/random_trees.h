// Random multibody trees and states for tests: all joint types, frames turned at random, springs,
// dampers and loads. The same seed gives the same system on every machine (no distribution of the
// standard library is used).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problems/model/kinematics.h"
#include "problems/model/random_numbers.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// The types that most methods have equations for, and all of them.
inline std::vector<JointType> SimpleJointTypes() {
  return {JointType::kBall, JointType::kRevolute, JointType::kPrismatic, JointType::kFixed,
          JointType::kFree};
}
inline std::vector<JointType> AllTreeJointTypes() {
  std::vector<JointType> types = SimpleJointTypes();
  types.insert(types.end(), {JointType::kUniversal, JointType::kCylindrical, JointType::kPlanar});
  return types;
}

struct RandomTreeOptions {
  int bodies = 10;
  std::vector<JointType> types = SimpleJointTypes();
  bool force_elements = true;
  // Further ones: motors, on some of the joints that take them, with a table each; bushings between bodies and the ground.
  std::vector<ForceElement> further_elements = {};
  double chain_likelihood = 0.6;    // that a body hangs on the one before it
  double ground_likelihood = 0.03;  // that a body beyond the first hangs on the ground
  // Everything in the plane z = 0: joints turn about z, forces lie in it. For types but prismatic.
  bool planar = false;
};

struct RandomTree {
  System system;
  SystemState state;
};

// Masses 0.3 to 2 kg, bodies of about half a metre, rates of a few per second.
RandomTree MakeRandomTree(std::uint64_t seed, const RandomTreeOptions& options = {});

}  // namespace mbsbench
