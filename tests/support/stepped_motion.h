// What the tests of time steppers share: starts, the distance of two motions at their ends, and a change of the unit of length.
#pragma once

#include <vector>

#include "problems/model/assembly.h"
#include "problems/model/problem.h"
#include "tests/support/worst.h"

namespace mbsbench {

inline SystemState StartOf(const Problem& p) {
  return Assemble(p.system, p.initial, p.length).state;
}

// The largest difference of positions, velocities and angular velocities.
inline double Apart(const std::vector<BodyState>& a, const std::vector<BodyState>& b) {
  double apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    Raise(apart, Norm(a[i].position - b[i].position));
    Raise(apart, Norm(a[i].velocity - b[i].velocity));
    Raise(apart, Norm(a[i].angular_velocity - b[i].angular_velocity));
  }
  return apart;
}

// Bodies, joints and gravity with lengths in millimetres, and inertias accordingly; of states too.
inline constexpr double kMillimetres = 1e3;
inline System InMillimetres(System system) {
  system.gravity = kMillimetres * system.gravity;
  for (Body& body : system.bodies)
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) body.inertia(i, j) *= kMillimetres * kMillimetres;
  for (Joint& joint : system.joints) {
    joint.parent_frame.position = kMillimetres * joint.parent_frame.position;
    joint.child_frame.position = kMillimetres * joint.child_frame.position;
  }
  return system;
}
inline SystemState InMillimetres(SystemState state) {
  for (BodyState& body : state.bodies)
    body.position = kMillimetres * body.position, body.velocity = kMillimetres * body.velocity;
  return state;
}

}  // namespace mbsbench
