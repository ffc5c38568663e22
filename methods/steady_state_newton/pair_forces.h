// What acts between two bodies, each as a unit wrench l on the one and -l on the other: cut joints
// (one l per constraint row) and spring-dampers. The virtual work of l is the variation of what it
// belongs to: d(phi) = l . (X_c - X_p), where X are the displacements of the bodies.
#pragma once

#include <vector>

#include "methods/steady_state_newton/relative_tree.h"

namespace mbsbench::steady {

struct UnitWrench {
  double value = 0;  // phi, which vanishes where a cut joint closes; of a spring its length
  Vector6 l;
  Matrix6 by_parent, by_child;  // dl = by_parent X_p + by_child X_c
};

// The rows phi^c of a cut joint; their multipliers are lambda^c (eqs 3, 20, 23).
void CutJointRows(const RelativeTree& tree, const Joint& joint, std::vector<UnitWrench>& rows);

// Along the line from point a to point b; a is on the parent's side.
UnitWrench LineBetween(const RelativeTree& tree, int body_a, const Vector3& point_a, int body_b,
                       const Vector3& point_b);

// The pull T of a spring-damper, its line, and dT by displacements and velocities of the bodies.
struct Pull {
  double force = 0;
  UnitWrench line;
  Vector6 by_a, by_b, by_velocity_a, by_velocity_b;
};
Pull PullOf(const RelativeTree& tree, const SpringDamper& element);

}  // namespace mbsbench::steady
