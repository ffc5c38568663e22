// Random multibody trees and states for tests: all joint types, frames turned at random, springs,
// dampers and loads. The same seed gives the same system on every machine (no distribution of the
// standard library is used).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problems/model/kinematics.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// SplitMix64.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  double Between(double low, double high) {
    return low + (high - low) * static_cast<double>(Bits() >> 11) * 0x1.0p-53;
  }
  int Below(int n) { return static_cast<int>(Bits() % static_cast<std::uint64_t>(n)); }
  Vector3 Vector(double size) {
    return {Between(-size, size), Between(-size, size), Between(-size, size)};
  }
  Quaternion Rotation() {
    for (;;) {
      const Quaternion q{Between(-1, 1), Between(-1, 1), Between(-1, 1), Between(-1, 1)};
      if (Norm(q) > 0.2 && Norm(q) < 1) return Normalised(q);
    }
  }

 private:
  std::uint64_t state_;
};

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
