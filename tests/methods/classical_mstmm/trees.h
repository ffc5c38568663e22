// Shared by the tests of classical-mstmm: preparing, evaluating, and the distance to the 113-bit
// reference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "methods/classical_mstmm/classical_mstmm.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"
#include "reference/reference.h"
#include "tests/support/worst.h"

namespace mbsbench {

inline std::unique_ptr<OdeFormulation> PrepareClassical(const System& system,
                                                        const MethodOptions& options) {
  std::unique_ptr<Formulation> formulation = ClassicalMstmmEntry().prepare(system, options);
  return std::unique_ptr<OdeFormulation>(static_cast<OdeFormulation*>(formulation.release()));
}

// Accelerations and reactions relative to the largest of their kind.
struct Distance {
  double acceleration = 0, reaction = 0;
  double largest() const { return std::max(acceleration, reaction); }
};

inline Distance DistanceOf(const Observation& ours, const ReferenceDynamics& truth) {
  double a = 0, alpha = 0, force = 0, torque = 0;
  for (const auto& b : truth.accelerations) {
    a = std::max(a, Norm(b.acceleration)), alpha = std::max(alpha, Norm(b.angular_acceleration));
  }
  for (const auto& r : truth.reactions)
    force = std::max(force, Norm(r.force)), torque = std::max(torque, Norm(r.torque));
  // Or to one unit if nothing is larger.
  const double motion = std::max({a, alpha, 1.0}), load = std::max({force, torque, 1.0});
  Distance d;
  const auto worst = [](double& most, const Vector3& difference, double scale) {
    Raise(most, Norm(difference) / scale);
  };
  for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
    worst(d.acceleration, ours.accelerations[b].acceleration - truth.accelerations[b].acceleration,
          motion);
    worst(d.acceleration,
          ours.accelerations[b].angular_acceleration - truth.accelerations[b].angular_acceleration,
          motion);
  }
  for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
    if (!truth.reactions[j].unique.all()) continue;
    worst(d.reaction, ours.reactions[j].force - truth.reactions[j].force, load);
    worst(d.reaction, ours.reactions[j].torque - truth.reactions[j].torque, load);
  }
  return d;
}

inline Distance DistanceToReference(const System& system, const SystemState& state,
                                    const MethodOptions& options, double* condition = nullptr) {
  const auto formulation = PrepareClassical(system, options);
  std::vector<double> y(formulation->state_size());
  EXPECT_TRUE(formulation->Initialise(0, state, y).ok());
  Observation ours;
  const Status status = formulation->Observe(0, y, Detail::kReactions, ours);
  EXPECT_TRUE(status.ok()) << status.what;
  if (!status.ok()) return {INFINITY, INFINITY};
  if (condition != nullptr) *condition = formulation->ConditionAt(0, y).number;
  return DistanceOf(ours, ReferenceAccelerations(system, state.joints));
}

// Bodies on the longest path from the ground to a tip.
inline int LongestPath(const System& system) {
  int longest = 0;
  std::vector<int> parent(system.bodies.size(), kGround);
  for (const Joint& joint : system.joints)
    parent[static_cast<std::size_t>(joint.child)] = joint.parent;
  for (int b = 0; b < static_cast<int>(parent.size()); ++b) {
    int length = 0;
    for (int k = b; k != kGround; k = parent[static_cast<std::size_t>(k)]) ++length;
    longest = std::max(longest, length);
  }
  return longest;
}

}  // namespace mbsbench
