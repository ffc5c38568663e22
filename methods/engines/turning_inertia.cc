#include "methods/engines/turning_inertia.h"

#include <Eigen/Dense>
#include <algorithm>
#include <map>
#include <vector>

#include "methods/engines/principal_inertia.h"
#include "methods/thresholds/thresholds.h"
#include "problems/model/eigen.h"

namespace mbsbench {

Eigen::Isometry3d IsometryOf(const Frame& frame) {
  Eigen::Isometry3d isometry = Eigen::Isometry3d::Identity();
  isometry.linear() = ToEigen(DirectionCosineMatrix(frame.orientation));
  isometry.translation() = ToEigen(frame.position);
  return isometry;
}

namespace {

// Inertia of bodies that are fixed to one another, about the origin and in the axes of the joint frame of
// the first, to which `joint` leads. What a recursion divides by is never less.
Eigen::Matrix3d InertiaBehind(const Joint& joint, const System& system,
                              const std::multimap<int, const Joint*>& fixed_to) {
  struct Placed {
    int body;
    Eigen::Isometry3d in_joint_frame;
  };
  std::vector<Placed> rest{{joint.child, IsometryOf(joint.child_frame).inverse(Eigen::Isometry)}};
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  while (!rest.empty()) {
    const auto [index, placed] = rest.back();
    rest.pop_back();
    const Body& body = system.bodies[static_cast<std::size_t>(index)];
    const Eigen::Vector3d r = placed.translation();
    sum += placed.linear() * ToEigen(body.inertia) * placed.linear().transpose() +
           body.mass * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
    for (auto [next, end] = fixed_to.equal_range(index); next != end; ++next) {
      const Joint& fixed = *next->second;
      rest.push_back({fixed.child, placed * IsometryOf(fixed.parent_frame) *
                                       IsometryOf(fixed.child_frame).inverse(Eigen::Isometry)});
    }
  }
  return sum;
}

}  // namespace

Verdict TurnsWithInertia(const System& system, const std::string& engine, double least) {
  std::multimap<int, const Joint*> fixed_to;
  for (const Joint& joint : system.joints) {
    if (joint.type == JointType::kFixed) fixed_to.emplace(joint.parent, &joint);
  }
  for (const Joint& joint : system.joints) {
    if (joint.type == JointType::kFixed || joint.type == JointType::kPrismatic) continue;
    const Eigen::Matrix3d inertia = InertiaBehind(joint, system, fixed_to);
    const double least_moment =
        joint.type == JointType::kRevolute || joint.type == JointType::kCylindrical ||
                joint.type == JointType::kPlanar
            ? inertia(2, 2)
            : Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly)
                  .eigenvalues()[0];
    if (least_moment > std::max(least, kThresholds.no_inertia * inertia.trace())) continue;
    const Body& body = system.bodies[static_cast<std::size_t>(joint.child)];
    return Verdict::No("body '" + body.name + "' has no inertia about an axis about which joint '" +
                       joint.name + "' turns it, which " + engine + " does not support.");
  }
  return {};
}

Verdict EachHasInertia(const System& system, const std::string& engine) {
  for (const Body& body : system.bodies) {
    const Vector3 moments = PrincipalOf(body.inertia).moments;
    if (moments.x > kThresholds.no_inertia * moments.z) continue;
    return Verdict::No("body '" + body.name + "' has no inertia about an axis, and " + engine +
                       " inverts the inertia of each body.");
  }
  return {};
}

}  // namespace mbsbench
