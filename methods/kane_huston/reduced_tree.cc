#include "methods/kane_huston/reduced_tree.h"

#include <algorithm>

#include "problems/model/state.h"
#include "problems/model/topology.h"

namespace mbsbench::kane_huston {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// Bodies held by the same node, and those held by the ground.
struct Groups {
  std::vector<int> head;  // per body: the body nearest the root in its group, or kGround
  std::vector<Member> in_head_frame;  // per body: its place in that body's frame (or inertial)
};

Groups GroupsOf(const System& system, const Topology& tree) {
  Groups groups;
  groups.head.resize(system.bodies.size());
  groups.in_head_frame.resize(system.bodies.size());
  for (int b : tree.order) {
    const Joint& joint = system.joints[At(tree.joint[At(b)])];
    Member& member = groups.in_head_frame[At(b)];
    if (joint.type != JointType::kFixed) {
      groups.head[At(b)] = b;
      continue;
    }
    const Member parent =
        joint.parent == kGround ? Member{} : groups.in_head_frame[At(joint.parent)];
    groups.head[At(b)] = joint.parent == kGround ? kGround : groups.head[At(joint.parent)];
    member.axes = Normalised(parent.axes * joint.parent_frame.orientation *
                             Conjugate(joint.child_frame.orientation));
    member.position = parent.position + Rotate(parent.axes, joint.parent_frame.position) -
                      Rotate(member.axes, joint.child_frame.position);
  }
  return groups;
}

// Adds inertia `j` of axes `axes` and the share of mass m at distance d.
void AddInertia(const Matrix3& j, const Quaternion& axes, double m, const Vector3& d,
                Matrix3& sum) {
  const Matrix3 r = DirectionCosineMatrix(axes);
  const double arm[3] = {d.x, d.y, d.z};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      double entry = m * ((row == column ? Dot(d, d) : 0) - arm[row] * arm[column]);
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) entry += r(row, a) * j(a, b) * r(column, b);
      }
      sum.m[At(3 * row + column)] += entry;
    }
  }
}

}  // namespace

ReducedTree Reduce(const System& system) {
  const Topology topology = TopologyOf(system);
  const JointOffsets at = OffsetsOf(system);
  const Groups groups = GroupsOf(system, topology);
  const std::size_t n = system.bodies.size();

  // Children of a group are those of all its bodies; kept per head, the ground's apart.
  std::vector<std::vector<int>> children(n);
  std::vector<int> roots;
  const auto group_of_parent = [&](int head) {
    const int parent = topology.parent[At(head)];
    return parent == kGround ? kGround : groups.head[At(parent)];
  };
  for (int b : topology.order) {
    if (groups.head[At(b)] != b) continue;
    const int parent = group_of_parent(b);
    (parent == kGround ? roots : children[At(parent)]).push_back(b);
  }
  // Work rows that a subtree needs; the hungriest child first keeps them few (at most log2 n + 1).
  std::vector<int> need(n, 1);
  for (auto b = topology.order.rbegin(); b != topology.order.rend(); ++b) {
    if (groups.head[At(*b)] != *b) continue;
    auto& own = children[At(*b)];
    std::stable_sort(own.begin(), own.end(),
                     [&](int x, int y) { return need[At(x)] > need[At(y)]; });
    for (std::size_t i = 0; i < own.size(); ++i)
      need[At(*b)] = std::max(need[At(*b)], need[At(own[i])] + (i > 0 ? 1 : 0));
  }

  ReducedTree tree;
  std::vector<int> node_of_head(n, kGround);
  struct Visit {
    int head, slot;
    bool first_child;
    std::size_t next_child;
  };
  std::vector<Visit> stack;  // by hand: chains are longer than the call stack
  const auto enter = [&](int head, int slot, bool first_child) {
    const int j = topology.joint[At(head)];
    const Joint& joint = system.joints[At(j)];
    Node node;
    const int parent_head = group_of_parent(head);
    node.parent = parent_head == kGround ? kGround : node_of_head[At(parent_head)];
    node.joint = j;
    node.type = joint.type;
    node.q = at.q[At(j)];
    node.u = at.u[At(j)];
    node.dof = tree.dofs;
    node.dofs = RateCount(joint.type);
    const int before = node.parent == kGround ? 0 : tree.nodes[At(node.parent)].path;
    node.path = before + node.dofs;
    node.path_begin = tree.path_entries;
    node.child_count = static_cast<int>(children[At(head)].size());
    node.slot = slot;
    node.first_child = first_child;
    const int index = static_cast<int>(tree.nodes.size());
    for (int i = 0; i < node.dofs; ++i) {
      const bool opens = i == 0;
      int previous = tree.dofs - 1;
      if (opens) {
        previous = -1;
        if (node.parent != kGround) {
          const Node& parent = tree.nodes[At(node.parent)];
          previous = parent.dof + parent.dofs - 1;
        }
      }
      tree.parent_dof.push_back(previous);
      tree.node_of_dof.push_back(index);
      ++tree.dofs;
    }
    tree.path_entries += At(node.path);
    tree.longest_path = std::max(tree.longest_path, node.path);
    tree.slots = std::max(tree.slots, slot + 1);
    node_of_head[At(head)] = index;
    tree.nodes.push_back(node);
    tree.tour.push_back({index, true});
    stack.push_back({head, slot, first_child, 0});
  };
  for (int root : roots) {
    enter(root, 0, true);
    while (!stack.empty()) {
      Visit& top = stack.back();
      const auto& own = children[At(top.head)];
      if (top.next_child == own.size()) {
        tree.tour.push_back({node_of_head[At(top.head)], false});
        stack.pop_back();
        continue;
      }
      const bool first = top.next_child == 0;
      const int child = own[top.next_child++];
      enter(child, top.slot + (first ? 0 : 1), first);
    }
  }

  // Mass properties of the nodes and the places of their bodies.
  tree.members.resize(n);
  std::vector<Vector3> moment(tree.nodes.size());
  std::vector<Vector3> centre(tree.nodes.size());
  for (std::size_t b = 0; b < n; ++b) {
    tree.members[b] = groups.in_head_frame[b];
    if (groups.head[b] == kGround) continue;
    const int node = node_of_head[At(groups.head[b])];
    tree.members[b].node = node;
    tree.nodes[At(node)].mass += system.bodies[b].mass;
    moment[At(node)] = moment[At(node)] + system.bodies[b].mass * tree.members[b].position;
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].mass > 0) centre[i] = (1 / tree.nodes[i].mass) * moment[i];
  }
  for (std::size_t b = 0; b < n; ++b) {
    Member& member = tree.members[b];
    if (member.node == kGround) continue;
    member.position = member.position - centre[At(member.node)];
    AddInertia(system.bodies[b].inertia, member.axes, system.bodies[b].mass, member.position,
               tree.nodes[At(member.node)].inertia);
  }
  for (Node& node : tree.nodes) {
    const Joint& joint = system.joints[At(node.joint)];
    node.parent_point = joint.parent_frame.position;
    node.parent_axes = joint.parent_frame.orientation;
    if (joint.parent != kGround) {
      const Member& holder = tree.members[At(joint.parent)];
      node.parent_point = holder.position + Rotate(holder.axes, joint.parent_frame.position);
      node.parent_axes = Normalised(holder.axes * joint.parent_frame.orientation);
    }
    const Member& own = tree.members[At(joint.child)];
    node.child_point = own.position + Rotate(own.axes, joint.child_frame.position);
    node.child_axes = Normalised(own.axes * joint.child_frame.orientation);
  }
  return tree;
}

double PathBytes(const System& system) {
  const Topology topology = TopologyOf(system);
  std::vector<double> path(system.bodies.size());
  double entries = 0, inertia = 0;
  for (int b : topology.order) {
    const int parent = topology.parent[At(b)];
    const double dofs = RateCount(system.joints[At(topology.joint[At(b)])].type);
    path[At(b)] = (parent == kGround ? 0 : path[At(parent)]) + dofs;
    if (dofs == 0) continue;
    entries += path[At(b)];
    inertia += dofs * path[At(b)];
  }
  // Six numbers of a partial velocity and its derivative per body and degree of freedom on its
  // path, and the generalised inertia.
  return sizeof(double) * (6 * entries + inertia);
}

}  // namespace mbsbench::kane_huston
