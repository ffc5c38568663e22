// The rods of the papers' pendulums, and the ball joints between them.
#pragma once

#include <string>

#include "problems/model/problem.h"

namespace mbsbench {

// Slender rod along its x axis, mass centre in the middle: J = m diag(J_ax / m, L^2/12, L^2/12).
inline Body Rod(std::string name, double length_m, double mass_kg, double axial_inertia_kg_m2) {
  Body rod;
  rod.name = std::move(name);
  rod.mass = mass_kg;
  const double transverse = mass_kg * length_m * length_m / 12;
  rod.inertia = Diagonal(axial_inertia_kg_m2, transverse, transverse);
  rod.shape = {Shape::Kind::kRod, {-length_m / 2, 0, 0}, {length_m / 2, 0, 0}, 0.02};
  return rod;
}

// Between points of two bodies, in their axes.
inline Joint JointBetween(std::string name, JointType type, int parent, const Vector3& on_parent,
                          int child, const Vector3& on_child) {
  Joint joint;
  joint.name = std::move(name);
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.parent_frame.position = on_parent;
  joint.child_frame.position = on_child;
  return joint;
}

inline Joint Ball(std::string name, int parent, const Vector3& on_parent, int child,
                  const Vector3& on_child) {
  return JointBetween(std::move(name), JointType::kBall, parent, on_parent, child, on_child);
}

inline Joint Revolute(std::string name, int parent, const Frame& on_parent, int child,
                      const Frame& on_child) {
  Joint joint;
  joint.name = std::move(name);
  joint.type = JointType::kRevolute;
  joint.parent = parent;
  joint.child = child;
  joint.parent_frame = on_parent;
  joint.child_frame = on_child;
  return joint;
}

// Joint frames whose z axis, the axis of a revolute or prismatic joint, points along x or y.
inline const Quaternion kZAlongX{M_SQRT1_2, 0, M_SQRT1_2, 0};
inline const Quaternion kZAlongY{M_SQRT1_2, -M_SQRT1_2, 0, 0};

// Quarter turns about z, which make a horizontal rod upright, and back.
inline const Quaternion kQuarterTurn{M_SQRT1_2, 0, 0, M_SQRT1_2};
inline const Quaternion kQuarterTurnBack{M_SQRT1_2, 0, 0, -M_SQRT1_2};

inline void AppendBallAtRest(const Quaternion& q, JointState& state) {
  state.q.insert(state.q.end(), {q.w, q.x, q.y, q.z});
  state.u.insert(state.u.end(), {0, 0, 0});
}

}  // namespace mbsbench
