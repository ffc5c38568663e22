#include "methods/transfer_elements/joint_tree.h"

#include <cmath>
#include <optional>

#include "problems/model/state.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

Mat<double> AxesOf(const Quaternion& q) { return Squared(Lift<double>(q)); }

bool IsSame(const Vec<double>& a, const Vec<double>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The turn about z after which `root` is the parent's axes in cyclic order, where z is one of them;
// `axis` states which.
std::optional<Quaternion> TurnToParent(const Quaternion& root, int& axis) {
  const Mat<double> root_axes = AxesOf(root);
  for (axis = 0; axis < 3; ++axis) {
    const Mat<double> parents = AxesEndingWith(Identity<double>(), axis);
    // Entry by entry: a cosine is 1 to the last digit up to angles of 1e-8.
    if (!IsSame(Column<2>(root_axes), Column<2>(parents))) continue;
    const double angle = std::atan2(Dot(Column<1>(root_axes), Column<0>(parents)),
                                    Dot(Column<0>(root_axes), Column<0>(parents)));
    return Quaternion{std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
  }
  axis = -1;
  return std::nullopt;
}

// Bodies depth first from the root, so that each chain lies contiguous.
std::vector<int> DepthFirstOrder(const Topology& tree) {
  std::vector<int> order, stack(tree.roots.rbegin(), tree.roots.rend());
  while (!stack.empty()) {
    const int body = stack.back();
    stack.pop_back();
    order.push_back(body);
    const auto& children = tree.children[static_cast<std::size_t>(body)];
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
  return order;
}

}  // namespace

JointTree MakeJointTree(const System& system) {
  const Topology topology = TopologyOf(system);
  const JointOffsets at = OffsetsOf(system);
  const std::vector<bool> driven = DrivenJoints(system);
  JointTree tree;
  tree.coordinate_count = at.q.back();
  tree.rate_count = at.u.back();
  tree.gravity = Lifted(system.gravity);
  tree.element_of_body.assign(system.bodies.size(), 0);
  for (int b : DepthFirstOrder(topology)) {
    const auto body_index = static_cast<std::size_t>(b);
    const auto joint_index = static_cast<std::size_t>(topology.joint[body_index]);
    const Body& body = system.bodies[body_index];
    const Joint& joint = system.joints[joint_index];
    Quaternion to_body = Normalised(joint.child_frame.orientation);
    Quaternion root = Normalised(joint.parent_frame.orientation);
    if (joint.parent != kGround) {
      const auto parent =
          static_cast<std::size_t>(tree.element_of_body[static_cast<std::size_t>(joint.parent)]);
      root = Conjugate(tree.joint_to_body[parent]) * root;
    }

    TreeElement e;
    if (HasOneAxis(joint.type)) {
      if (const auto turn = TurnToParent(root, e.parent_axis)) {
        to_body = to_body * *turn;
        root = root * *turn;
      }
    }
    const Mat<double> to_joint = AxesOf(Conjugate(to_body));
    e.type = joint.type;
    e.driven = driven[joint_index];
    e.body = b;
    e.joint = static_cast<int>(joint_index);
    e.q = at.q[joint_index];
    e.u = tree.coordinate_count + at.u[joint_index];
    ForJoint(e.type, [&e](auto type) {
      if constexpr (type.kTurning == Turning::kAboutZ) e.angle = e.q + type.kSlides;
    });
    e.mass = body.mass;
    e.r_OC = to_joint * (-Lifted(joint.child_frame.position));
    e.J_O = Turned(to_joint, LiftSymmetric<double>(body.inertia)) + PointInertia(body.mass, e.r_OC);
    e.children = static_cast<int>(topology.children[body_index].size());

    e.arm = Lifted(joint.parent_frame.position);
    if (joint.parent != kGround) {
      const auto parent =
          static_cast<std::size_t>(tree.element_of_body[static_cast<std::size_t>(joint.parent)]);
      const Joint& parent_joint =
          system.joints[static_cast<std::size_t>(tree.elements[parent].joint)];
      const Quaternion body_to_parent_axes = Conjugate(tree.joint_to_body[parent]);
      e.parent = static_cast<int>(parent) + 1;
      e.arm = AxesOf(body_to_parent_axes) * (e.arm - Lifted(parent_joint.child_frame.position));
    }
    e.root_axes = AxesOf(root);
    e.parent_axes_aligned = IsIdentity(e.root_axes);
    tree.element_of_body[body_index] = static_cast<int>(tree.elements.size());
    tree.joint_to_body.push_back(to_body);
    tree.elements.push_back(e);
  }
  tree.has_joint_springs = !system.joint_spring_dampers.empty();
  for (const JointSpringDamper& spring : system.joint_spring_dampers) {
    const int body = system.joints[static_cast<std::size_t>(spring.joint)].child;
    TreeElement& e = tree.elements[static_cast<std::size_t>(
        tree.element_of_body[static_cast<std::size_t>(body)])];
    e.stiffness += spring.stiffness;
    e.damping += spring.damping;
    e.spring_offset += spring.stiffness * spring.free_coordinate;
  }
  return tree;
}

}  // namespace mbsbench
