#include "methods/numerics/constraint_matrix.h"

#include <algorithm>

namespace mbsbench::absolute {

std::vector<double> ReachOf(const System& system) {
  std::vector<double> reach(system.bodies.size());
  double largest = 0;
  const auto add = [&](int body, const Vector3& point) {
    if (body == kGround) return;
    double& of_body = reach[static_cast<std::size_t>(body)];
    of_body = std::max(of_body, Norm(point));
    largest = std::max(largest, of_body);
  };
  for (const auto* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      add(joint.parent, joint.parent_frame.position);
      add(joint.child, joint.child_frame.position);
    }
  }
  for (double& of_body : reach) {
    if (of_body == 0) of_body = largest > 0 ? largest : 1;
  }
  return reach;
}

ConstraintJacobian ScaledRows(const JointConstraints& joint, std::span<const BodyMotion> bodies,
                              std::span<const double> reach) {
  ConstraintJacobian g =
      joint.Jacobian(MotionOf(bodies, joint.parent()), MotionOf(bodies, joint.child()));
  for (const auto& [body, first] :
       {std::pair{joint.parent(), 0}, std::pair{joint.child(), kRates}}) {
    if (body == kGround) {
      g.middleCols<kRates>(first).setZero();
    } else {
      g.middleCols<3>(first + 3) *= 1 / reach[static_cast<std::size_t>(body)];
    }
  }
  return g;
}

}  // namespace mbsbench::absolute
