#include "methods/transfer_elements/joint_tree.h"

#include "problems/model/state.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

Vec3<double> From(const Vector3& v) { return {v.x, v.y, v.z}; }

Mat3<double> AxesOf(const Quaternion& q) { return RotationOf(q.w, q.x, q.y, q.z); }

Sym3<double> InertiaAbout(const Vec3<double>& r, double mass, const Matrix3& inertia,
                          const Mat3<double>& turn) {
  const Sym3<double> central =
      Rotated(turn, Sym3<double>{inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1),
                                 inertia(0, 2), inertia(1, 2)});
  const double rr = Dot(r, r);  // Steiner
  return central + Sym3<double>{mass * (rr - r.x * r.x), mass * (rr - r.y * r.y),
                                mass * (rr - r.z * r.z), -mass * r.x * r.y,
                                -mass * r.x * r.z,       -mass * r.y * r.z};
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
  tree.gravity = From(system.gravity);
  tree.element_of_body.assign(system.bodies.size(), 0);
  for (int b : DepthFirstOrder(topology)) {
    const auto body_index = static_cast<std::size_t>(b);
    const auto joint_index = static_cast<std::size_t>(topology.joint[body_index]);
    const Body& body = system.bodies[body_index];
    const Joint& joint = system.joints[joint_index];
    const Quaternion to_body = Normalised(joint.child_frame.orientation);
    const Mat3<double> to_joint = AxesOf(Conjugate(to_body));

    TreeElement e;
    e.type = joint.type;
    e.hinge = driven[joint_index] ? JointType::kFixed : joint.type;
    e.body = b;
    e.joint = static_cast<int>(joint_index);
    e.q = at.q[joint_index];
    e.u = tree.coordinate_count + at.u[joint_index];
    e.mass = body.mass;
    e.r_OC = to_joint * (-From(joint.child_frame.position));
    e.J_O = InertiaAbout(e.r_OC, body.mass, body.inertia, to_joint);
    e.children = static_cast<int>(topology.children[body_index].size());
    if (e.children > 1) e.branch = tree.branch_count++;

    Quaternion root = Normalised(joint.parent_frame.orientation);
    e.arm = From(joint.parent_frame.position);
    if (joint.parent != kGround) {
      const auto parent =
          static_cast<std::size_t>(tree.element_of_body[static_cast<std::size_t>(joint.parent)]);
      const Joint& parent_joint =
          system.joints[static_cast<std::size_t>(tree.elements[parent].joint)];
      const Quaternion body_to_parent_axes = Conjugate(tree.joint_to_body[parent]);
      e.parent = static_cast<int>(parent) + 1;
      e.arm = AxesOf(body_to_parent_axes) * (e.arm - From(parent_joint.child_frame.position));
      root = body_to_parent_axes * root;
    }
    e.root_axes = AxesOf(root);
    e.parent_axes_aligned = root.x == 0 && root.y == 0 && root.z == 0;
    tree.element_of_body[body_index] = static_cast<int>(tree.elements.size());
    tree.joint_to_body.push_back(to_body);
    tree.elements.push_back(e);
  }
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
