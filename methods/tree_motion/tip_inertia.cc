#include "methods/tree_motion/tip_inertia.h"

#include <Eigen/Eigenvalues>
#include <numeric>
#include <utility>
#include <vector>

#include "methods/numerics/blocks_in_eigen.h"
#include "methods/thresholds/thresholds.h"

namespace mbsbench {

namespace {

// Whether the motion of its joint moves enough of a group's inertia.
bool Resists(const SweepGroup<double>& group) {
  const auto resists_turning = [](const Eigen::Matrix3d& J) {
    const Eigen::Vector3d moments = J.selfadjointView<Eigen::Lower>().eigenvalues();
    return moments.minCoeff() > kThresholds.no_inertia * J.trace();
  };
  if (group.driven) return true;
  Eigen::Matrix3d J = AsEigen(group.inertia);
  switch (group.type) {
    case JointType::kRevolute: return J(2, 2) > kThresholds.no_inertia * J.trace();
    case JointType::kPrismatic: return group.mass > 0;
    case JointType::kBall: return resists_turning(J);
    case JointType::kFree: {
      if (!(group.mass > 0)) return false;
      const Eigen::Matrix3d arm = CrossMatrix<double>(AsEigen(group.moment) / group.mass);
      J += group.mass * arm * arm;  // about the mass centre
      return resists_turning(J);
    }
    case JointType::kFixed:
    case JointType::kDistance:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kPlanar: break;
  }
  return true;
}

Status Find(const System& system, const GroupTree<double>& tree, std::vector<bool> is_held) {
  for (const SweepGroup<double>& group : tree.groups)
    is_held[static_cast<std::size_t>(group.parent)] = true;
  for (std::size_t k = 1; k < tree.groups.size(); ++k) {
    const SweepGroup<double>& group = tree.groups[k];
    if (is_held[k] || Resists(group)) continue;
    return {Status::Code::kSingular, group.joint,
            system.joints[static_cast<std::size_t>(group.joint)].child,
            "the tip side has no inertia about the joint's free axes"};
  }
  return {};
}

}  // namespace

Status FindTipWithoutInertia(const System& system, const GroupTree<double>& tree) {
  return Find(system, tree, std::vector<bool>(tree.groups.size()));
}

Status FindFreeTipWithoutInertia(const System& system) {
  const GroupTree<double> tree =
      MakeGroupTree<double>(system, [](const RigidGroups& rigid, const auto&) {
        std::vector<int> order(rigid.groups.size());
        std::iota(order.begin(), order.end(), 0);
        return order;
      });
  std::vector<bool> is_held(tree.groups.size(), true);
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    if (!system.bodies[b].is_point)
      is_held[static_cast<std::size_t>(tree.placements[b].group)] = false;
  }
  for (const Joint& joint : system.loop_joints) {
    for (const int body : {joint.parent, joint.child})
      is_held[static_cast<std::size_t>(tree.GroupOf(body))] = true;
  }
  return Find(system, tree, std::move(is_held));
}

}  // namespace mbsbench
