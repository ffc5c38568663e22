#include "methods/kane_huston/reduced_tree.h"

#include <algorithm>

#include "methods/kinematics/rigid_groups.h"
#include "problems/model/topology.h"

namespace mbsbench::kane_huston {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

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
  RigidGroups rigid = MakeRigidGroups(system);
  // Work rows that a subtree needs; the hungriest child first keeps them few (at most log2 n + 1).
  std::vector<int> need(rigid.groups.size(), 1);
  for (std::size_t g = rigid.groups.size(); g-- > 0;) {
    std::vector<int>& children = rigid.groups[g].children;
    std::stable_sort(children.begin(), children.end(),
                     [&](int x, int y) { return need[At(x)] > need[At(y)]; });
    for (std::size_t i = 0; i < children.size(); ++i) {
      need[g] = std::max(need[g], need[At(children[i])] + (i > 0 ? 1 : 0));
    }
  }

  ReducedTree tree;
  std::vector<int> node_of_group(rigid.groups.size(), kGround);
  struct Visit {
    int group, slot;
    std::size_t next_child;
  };
  std::vector<Visit> stack;  // by hand: chains are longer than the call stack
  const auto enter = [&](int g, int slot, bool first_child) {
    const RigidGroup& group = rigid.groups[At(g)];
    Node node;
    node.parent = node_of_group[At(group.parent)];
    node.joint = group.joint;
    node.type = group.type;
    node.parent_point = group.on_parent.position;
    node.parent_axes = Normalised(group.on_parent.orientation);
    node.child_point = group.on_child.position;
    node.child_axes = Normalised(group.on_child.orientation);
    node.q = group.q;
    node.u = group.u;
    node.dof = tree.dofs;
    node.dofs = RateCount(group.type);
    const int before = node.parent == kGround ? 0 : tree.nodes[At(node.parent)].path;
    node.path = before + node.dofs;
    node.path_begin = tree.path_entries;
    node.child_count = static_cast<int>(group.children.size());
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
    node_of_group[At(g)] = index;
    tree.nodes.push_back(node);
    tree.tour.push_back({index, true});
    stack.push_back({g, slot, 0});
  };
  for (int root : rigid.groups[0].children) {
    enter(root, 0, true);
    while (!stack.empty()) {
      Visit& top = stack.back();
      const std::vector<int>& children = rigid.groups[At(top.group)].children;
      if (top.next_child == children.size()) {
        tree.tour.push_back({node_of_group[At(top.group)], false});
        stack.pop_back();
        continue;
      }
      const bool first = top.next_child == 0;
      const int child = children[top.next_child++];
      enter(child, top.slot + (first ? 0 : 1), first);
    }
  }

  // Mass properties of the nodes and the places of their bodies.
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const RigidGroups::BodyInGroup& seat = rigid.seats[b];
    const Member member{node_of_group[At(seat.group)], seat.frame.position, seat.frame.orientation};
    tree.members.push_back(member);
    if (member.node == kGround) continue;
    tree.nodes[At(member.node)].mass += system.bodies[b].mass;
  }
  std::vector<Vector3> centre(tree.nodes.size());
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const Member& member = tree.members[b];
    if (member.node == kGround || system.bodies[b].mass == 0) continue;
    const double share = system.bodies[b].mass / tree.nodes[At(member.node)].mass;
    centre[At(member.node)] = centre[At(member.node)] + share * member.position;
  }
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    Member& member = tree.members[b];
    if (member.node == kGround) continue;
    member.position = member.position - centre[At(member.node)];
    AddInertia(system.bodies[b].inertia, member.axes, system.bodies[b].mass, member.position,
               tree.nodes[At(member.node)].inertia);
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    Node& node = tree.nodes[i];
    node.child_point = node.child_point - centre[i];
    if (node.parent != kGround) node.parent_point = node.parent_point - centre[At(node.parent)];
  }
  return tree;
}

std::vector<int> HeldRates(const System& system, const ReducedTree& tree) {
  std::vector<int> held;
  for (const Driver& driver : system.drivers) {
    const int body = system.joints[static_cast<std::size_t>(driver.joint)].child;
    const int node = tree.members[static_cast<std::size_t>(body)].node;
    held.push_back(tree.nodes[static_cast<std::size_t>(node)].dof);
  }
  return held;
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
