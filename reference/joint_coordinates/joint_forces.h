// Force elements in joint coordinates: the generalised force on each rate. A spring on a joint's
// coordinate acts on that coordinate alone; an element between points acts on all rates that move them.
#pragma once

#include <vector>

#include "reference/joint_coordinates/joint_motion.h"

namespace mbsbench::extended {

// Action of a force element on one body, inertial axes.
struct Action {
  int body = 0;
  Vec3 point;          // where the force acts
  Vec3 force, moment;  // [N], [N m]
};
std::vector<Action> ActionsOf(const JointMotion& motion);

// Q_k = sum over actions of V_k . F + W_k . M, plus joint springs and motors; without gravity.
std::vector<Real> GeneralisedForces(const JointMotion& motion, const std::vector<Real>& q,
                                    const std::vector<Real>& u, const std::vector<Action>& actions);

}  // namespace mbsbench::extended
