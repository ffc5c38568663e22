// Accelerations of rigid groups from the derivatives of the rates, for methods whose equations contain
// no driven joints.
#pragma once

#include <cstddef>
#include <span>

#include "methods/tree_motion/tree_motion.h"

namespace mbsbench {

// After PassMotion at y = [q; u]. Accelerations of the groups' origins, less gravity, from the root
// to the tips:
//   alpha = alpha_p + omega_p x omega + s u'
//   a = a_p + alpha_p x r + gamma + s u'
// `ydot` = [q'; u'], of which u' is read; null: u' is zero, and only the terms of velocities and gravity
// remain.
inline void PassAccelerations(const GroupTree<double>& tree, const TreeMotion<double>& motion,
                              const double* y, const double* ydot, const Vector3& gravity,
                              std::span<GroupAcceleration> of_groups) {
  of_groups[0] = {{}, {-gravity.x, -gravity.y, -gravity.z}};
  for (std::size_t i = 1; i < tree.groups.size(); ++i) {
    const SweepGroup<double>& group = tree.groups[i];
    const GroupMotion<double>&m = motion.motion(static_cast<int>(i)),
          &p = motion.motion(group.parent);
    const GroupAcceleration& carrier = of_groups[static_cast<std::size_t>(group.parent)];
    Vec<double> alpha = carrier.alpha + Cross(p.omega, m.omega);
    Vec<double> a = AddCross(carrier.a + m.gamma, carrier.alpha, m.r);
    if (ydot != nullptr) {
      ForMovingJoint(group.type, [&](auto joint) {
        ForEachColumn<decltype(joint)>(m.R, y + group.q,
                                       [&](int k, bool turns, const Vec<double>& direction) {
                                         Vec<double>& moved = turns ? alpha : a;
                                         moved = AddScaled(moved, ydot[group.u + k], direction);
                                       });
      });
    }
    of_groups[i] = {alpha, a};
  }
}

}  // namespace mbsbench
