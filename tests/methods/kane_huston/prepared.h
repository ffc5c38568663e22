// A system prepared by one variant of kane-huston, with the y of a state.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/support/support.h"
#include "methods/kane_huston/kane_huston.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

struct PreparedKane {
  std::unique_ptr<OdeFormulation> formulation;
  std::vector<double> y;

  PreparedKane(const System& system, const SystemState& state, const char* variant = "general") {
    const MethodEntry entry = KaneHustonEntry();
    const Verdict verdict = VerdictOf(entry, system, {variant});
    EXPECT_TRUE(verdict.supported) << verdict.reason;
    std::unique_ptr<Formulation> prepared = entry.prepare(system, {variant});
    formulation.reset(dynamic_cast<OdeFormulation*>(prepared.release()));
    y.resize(formulation->state_size());
    EXPECT_TRUE(formulation->Initialise(0, state, y).ok());
  }

  Observation Observe(Detail detail = Detail::kReactions) {
    Observation observation;
    EXPECT_TRUE(formulation->Observe(0, y, detail, observation).ok());
    return observation;
  }
  std::vector<double> Evaluate() {
    std::vector<double> ydot(y.size());
    EXPECT_TRUE(formulation->Evaluate(0, y, ydot).ok());
    return ydot;
  }
};

inline Body MakeBody(std::string name, double mass, const SymmetricMatrix3& inertia) {
  Body body;
  body.name = std::move(name);
  body.mass = mass;
  body.inertia = inertia;
  return body;
}

inline Joint MakeJoint(std::string name, JointType type, int parent, int child) {
  Joint joint;
  joint.name = std::move(name);
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  return joint;
}

inline SystemState StateOf(const System& system, const JointState& joints) {
  return {joints, ForwardKinematics(system, joints)};
}

}  // namespace mbsbench
