// The double pendulum on which the facts of a prototype are tested: a body on a ball joint, and another on its revolute joint.
#pragma once

#include "tests/methods/cartesian_dae/random_system.h"

namespace mbsbench {

struct BallAndRevolute {
  System system;
  SystemState state;

  BallAndRevolute() {
    RandomSystem random(5);
    system.gravity = {0, 0, -9.81};
    for (const JointType type : {JointType::kBall, JointType::kRevolute}) {
      Joint joint;
      joint.type = type;
      joint.child = static_cast<int>(system.bodies.size());
      joint.parent = joint.child - 1;
      joint.child_frame = {{0.3, 0.1, 0.2}, random.Rotation()};
      if (joint.parent != kGround) joint.parent_frame = {{-0.2, -0.3, 0.1}, random.Rotation()};
      system.bodies.push_back(random.MakeBody("body"));
      system.bodies.back().mass = 1;
      system.joints.push_back(joint);
    }
    state = random.MakeState(system);
  }
};

}  // namespace mbsbench
