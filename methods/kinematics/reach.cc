#include "methods/kinematics/reach.h"

#include <algorithm>

namespace mbsbench {

namespace {
constexpr double kRoundOff =
    1e-15;  // of the largest distance: a position from a file or a product of frames
}

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
    if (of_body <= kRoundOff * largest) of_body = largest > 0 ? largest : 1;
  }
  return reach;
}

}  // namespace mbsbench
