// The method under test, taken from its entry as in the harness.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "methods/articulated_body/articulated_body.h"
#include "methods/interface/formulation.h"
#include "problems/model/kinematics.h"
#include "tests/support/worst.h"

namespace mbsbench {

inline Body MakeBody(std::string name, double mass, const SymmetricMatrix3& inertia = {}) {
  Body body;
  body.name = std::move(name);
  body.mass = mass;
  body.inertia = inertia;
  return body;
}

inline Joint MakeJoint(std::string name, JointType type, int parent, int child,
                       const Frame& parent_frame = {}, const Frame& child_frame = {}) {
  Joint joint;
  joint.name = std::move(name);
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.parent_frame = parent_frame;
  joint.child_frame = child_frame;
  return joint;
}

inline std::unique_ptr<OdeFormulation> Prepare(const System& system) {
  auto formulation = ArticulatedBodyEntry().prepare(system, {});
  EXPECT_EQ(formulation->form(), Form::kOde);
  return std::unique_ptr<OdeFormulation>(static_cast<OdeFormulation*>(formulation.release()));
}

inline SystemState StateOf(const System& system, const JointState& joints) {
  return {joints, ForwardKinematics(system, joints)};
}

inline std::vector<double> InitialY(OdeFormulation& formulation, const SystemState& state) {
  std::vector<double> y(formulation.state_size());
  EXPECT_TRUE(formulation.Initialise(0, state, y).ok());
  return y;
}

inline Observation ObserveAll(OdeFormulation& formulation, const SystemState& state) {
  Observation observation;
  const Status status =
      formulation.Observe(0, InitialY(formulation, state), Detail::kReactions, observation);
  EXPECT_TRUE(status.ok()) << status.what;
  return observation;
}

// Largest difference relative to the largest value (to 1 if all are smaller: gravity is 10,
// and fixed bodies accelerate by round-off only). `get` converts an element to a Vector3.
template <class A, class B, class Get>
double RelativeDifference(const std::vector<A>& ours, const std::vector<B>& truth, Get get) {
  double difference = 0, size = 1;
  if (ours.size() != truth.size()) return std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < truth.size(); ++i) {
    Raise(difference, Norm(get(ours[i]) - get(truth[i])));
    size = std::max(size, Norm(get(truth[i])));
  }
  return difference / size;
}

}  // namespace mbsbench
