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
  Mat3<double> axes = RotationOf(q.w, q.x, q.y, q.z);
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

// Slots for the sums over input ends. An element takes one when the first of its children reports, in
// the order of a sweep to the root, and gives it back when its turn comes: a chain lives on one slot,
// which never leaves the nearest cache.
void AssignSlots(JointTree& tree) {
  std::vector<int> free_slots;
  for (std::size_t k = tree.masses.size(); k-- > 0;) {
    ElementMass& mass = tree.masses[k];
    if (mass.slot != 0) free_slots.push_back(mass.slot);
    if (tree.links[k].parent == 0) continue;
    int& slot = tree.masses[static_cast<std::size_t>(tree.links[k].parent) - 1].slot;
    mass.so_far = slot;
    if (slot == 0) {
      if (free_slots.empty()) free_slots.push_back(tree.slot_count++);
      slot = free_slots.back();
      free_slots.pop_back();
    }
    mass.parent_slot = slot;
  }
}

std::vector<ElementRun> RunsOf(const JointTree& tree) {
  // Shorter stretches of first inputs are not worth a run of their own.
  constexpr std::size_t kLong = 16;
  const auto kind_of = [&tree](std::size_t k) {
    const TreeElement& e = tree.elements[k];
    const bool diagonal = e.J_O.xy == 0 && e.J_O.xz == 0 && e.J_O.yz == 0;
    const bool one_axis = e.type == JointType::kRevolute || e.type == JointType::kPrismatic;
    const bool aligned = one_axis ? e.parent_axis >= 0 : e.parent_axes_aligned;
    return ElementRun{e.type, e.hinge, aligned, diagonal, false, 0, 0};
  };
  const auto same_kind = [](const ElementRun& a, const ElementRun& b) {
    return a.type == b.type && a.hinge == b.hinge && a.aligned == b.aligned &&
           a.diagonal == b.diagonal;
  };
  std::vector<ElementRun> runs;
  const std::size_t n = tree.elements.size();
  for (std::size_t k = 0; k < n;) {
    ElementRun run = kind_of(k);
    const bool first = tree.masses[k].so_far == 0;
    std::size_t end = k + 1;
    while (end < n && same_kind(kind_of(end), run) && (tree.masses[end].so_far == 0) == first)
      ++end;
    const bool alone =
        (k == 0 || !same_kind(kind_of(k - 1), run)) && (end == n || !same_kind(kind_of(end), run));
    run.first_input = first && (alone || end - k >= kLong);
    run.begin = static_cast<int>(k) + 1;
    run.end = static_cast<int>(end) + 1;
    if (!runs.empty() && same_kind(runs.back(), run) &&
        runs.back().first_input == run.first_input) {
      runs.back().end = run.end;
    } else {
      runs.push_back(run);
    }
    k = end;
  }
  return runs;
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
    if (joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic) {
      if (const auto turn = TurnToParent(root, e.parent_axis)) {
        to_body = to_body * *turn;
        root = root * *turn;
      }
    }
    const Mat3<double> to_joint = AxesOf(Conjugate(to_body));
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
    tree.masses.push_back({e.mass * e.r_OC, e.J_O, e.mass, 0, 1, 0});
  }
  AssignSlots(tree);
  tree.runs = RunsOf(tree);
  return tree;
}

}  // namespace mbsbench
