#include "methods/loops/whole_response.h"

#include <algorithm>

namespace mbsbench {

WholeResponse::WholeResponse(const System& system) {
  std::vector<double> arm(system.bodies.size());  // squared
  const auto reach = [&](int body, const Vector3& point) {
    if (body == kGround) return;
    double& longest = arm[static_cast<std::size_t>(body)];
    longest = std::max(longest, Dot(point, point));
  };
  for (const auto* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      reach(joint.parent, joint.parent_frame.position);
      reach(joint.child, joint.child_frame.position);
    }
  }
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const Body& body = system.bodies[b];
    mass_ += body.mass;
    inertia_ += body.inertia(0, 0) + body.inertia(1, 1) + body.inertia(2, 2) + body.mass * arm[b];
  }
  if (inertia_ == 0) inertia_ = mass_;  // points without arms: of 1 m
}

}  // namespace mbsbench
