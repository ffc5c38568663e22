#include "methods/transfer_elements/joint_tree.h"

#include <cmath>
#include <limits>
#include <optional>

#include "problems/model/state.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

Vec3<double> From(const Vector3& v) { return {v.x, v.y, v.z}; }

// Without what rounding leaves of right angles.
Mat3<double> AxesOf(const Quaternion& q) {
  constexpr double kFewRoundings = 4 * std::numeric_limits<double>::epsilon();
  Mat3<double> axes = Mat3<double>::OfQuaternion(q.w, q.x, q.y, q.z);
  for (Vec3<double>* axis : {&axes.x, &axes.y, &axes.z}) {
    for (double* entry : {&axis->x, &axis->y, &axis->z}) {
      if (const double right = std::round(*entry); std::abs(*entry - right) < kFewRoundings) {
        *entry = right;
      }
    }
  }
  return axes;
}

bool IsSame(const Vec3<double>& a, const Vec3<double>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool IsIdentity(const Mat3<double>& A) {
  return A.x.x == 1 && A.y.y == 1 && A.z.z == 1 && A.x.y == 0 && A.x.z == 0 && A.y.x == 0 &&
         A.y.z == 0 && A.z.x == 0 && A.z.y == 0;
}

// The turn about z after which `root` is the parent's axes in cyclic order, where z is one of them;
// `axis` tells which.
std::optional<Quaternion> TurnToParent(const Quaternion& root, int& axis) {
  const Mat3<double> root_axes = AxesOf(root);
  for (axis = 0; axis < 3; ++axis) {
    const Mat3<double> parents =
        AxesEndingWith(Mat3<double>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, axis);
    // Entry by entry: a cosine is 1 to the last digit up to angles of 1e-8.
    if (!IsSame(root_axes.z, parents.z)) continue;
    const double angle = std::atan2(Dot(root_axes.y, parents.x), Dot(root_axes.x, parents.x));
    return Quaternion{std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
  }
  axis = -1;
  return std::nullopt;
}

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

// Fills the slots of the masses, and the runs.
void PlanSweeps(JointTree& tree) {
  std::vector<ElementRun> kind_of{{}};
  std::vector<int> parents{0}, kinds{0};
  for (const TreeElement& e : tree.elements) {
    const bool diagonal = e.J_O.xy == 0 && e.J_O.xz == 0 && e.J_O.yz == 0;
    const bool aligned = HasOneAxis(e.type) ? e.parent_axis >= 0 : e.parent_axes_aligned;
    kind_of.push_back({e.type, e.driven, aligned, diagonal, false, 0, 0});
    parents.push_back(e.parent);
    kinds.push_back(8 * static_cast<int>(e.type) + 4 * e.driven + 2 * aligned + diagonal);
  }
  const SlotPlan plan = PlanSlots(parents);
  tree.slot_count = plan.count;
  for (std::size_t k = 0; k < tree.masses.size(); ++k) tree.masses[k].slots = plan.slots[k + 1];
  for (const LikeRun& like : RunsOfLikeElements(kinds, plan)) {
    ElementRun run = kind_of[static_cast<std::size_t>(like.begin)];
    run.first_input = like.first;
    run.begin = like.begin;
    run.end = like.end;
    tree.runs.push_back(run);
  }
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
    const Mat3<double> to_joint = AxesOf(Conjugate(to_body));
    e.type = joint.type;
    e.driven = driven[joint_index];
    e.body = b;
    e.joint = static_cast<int>(joint_index);
    e.q = at.q[joint_index];
    e.u = tree.coordinate_count + at.u[joint_index];
    e.mass = body.mass;
    e.r_OC = to_joint * (-From(joint.child_frame.position));
    e.J_O = InertiaAbout(e.r_OC, body.mass, body.inertia, to_joint);
    e.children = static_cast<int>(topology.children[body_index].size());

    e.arm = From(joint.parent_frame.position);
    if (joint.parent != kGround) {
      const auto parent =
          static_cast<std::size_t>(tree.element_of_body[static_cast<std::size_t>(joint.parent)]);
      const Joint& parent_joint =
          system.joints[static_cast<std::size_t>(tree.elements[parent].joint)];
      const Quaternion body_to_parent_axes = Conjugate(tree.joint_to_body[parent]);
      e.parent = static_cast<int>(parent) + 1;
      e.arm = AxesOf(body_to_parent_axes) * (e.arm - From(parent_joint.child_frame.position));
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
  for (const TreeElement& e : tree.elements) {
    tree.links.push_back({e.arm, e.parent, e.q, e.u, e.parent_axis});
    tree.masses.push_back({e.mass * e.r_OC, e.J_O, e.mass, {}});
  }
  PlanSweeps(tree);
  return tree;
}

}  // namespace mbsbench
