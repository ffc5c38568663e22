// The tree for Kane's equations: rigid groups depth first, so that a path without branchings is a
// contiguous range of degrees of freedom, and the path of every group: the degrees of freedom from the
// ground to it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "methods/tree_motion/group_tree.h"

namespace mbsbench::kane_huston {

// The degrees of freedom of a group; the ground has none.
struct Node {
  int dof = 0;                 // its first degree of freedom in depth-first numbering
  int dofs = 0;                // how many it has
  int path = 0;                // degrees of freedom on its path, its own included
  std::size_t path_begin = 0;  // sum of `path` over the previous nodes
  int child_count = 0;
  // Work row in which sums over the subtree are formed: inherited from the first child, so that a
  // chain needs one.
  int slot = 0;
  bool first_child = true;
};

// One step of the depth-first tour.
struct TourStep {
  int node = 0;
  bool enter = true;  // false: leave it for good
};

// The groups depth first, the child that needs the most work rows first, which keeps these few (at most log2 n + 1).
std::vector<int> HungriestFirst(const RigidGroups& rigid);

template <class T>
struct ReducedTree : GroupTree<T> {
  std::vector<Node> nodes;       // per group
  std::vector<Vec<T>> centres;   // per group: its mass centre from its origin, own axes
  std::vector<Sym<T>> inertias;  // per group: about that
  std::vector<TourStep> tour;    // enters a node before and leaves it after its subtree
  std::vector<int> node_of_dof;
  std::vector<int> parent_dof;  // per degree of freedom: the previous one on the path, or -1
  std::vector<int> triples;     // first of three rotations or translations along arbitrary axes
  int dofs = 0;
  int longest_path = 0;
  int slots = 0;
  std::size_t path_entries = 0;  // sum of `path` over all nodes

  explicit ReducedTree(const System& system)
      : GroupTree<T>(MakeGroupTree<T>(
            system, [](const RigidGroups& rigid, const auto&) { return HungriestFirst(rigid); })),
        nodes(this->groups.size()),
        centres(nodes.size()),
        inertias(nodes.size()) {
    for (std::size_t k = 1; k < nodes.size(); ++k) {
      const SweepGroup<T>& group = this->groups[k];
      if (group.mass > T(0)) centres[k] = (T(1) / group.mass) * group.moment;
    }
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
      const BodyInGroup<T>& placement = this->placements[b];
      Sym<T>& sum = inertias[At(placement.group)];
      sum = sum + Turned(placement.turn, LiftSymmetric<T>(system.bodies[b].inertia)) +
            PointInertia(T(system.bodies[b].mass), placement.centre - centres[At(placement.group)]);
    }
    const int count = static_cast<int>(nodes.size());
    for (int k = 1; k < count; ++k) {
      Node &node = nodes[At(k)], &parent = nodes[At(Parent(k))];
      node.dof = dofs;
      node.dofs = RateCount(this->groups[At(k)].type);
      node.path = parent.path + node.dofs;
      node.path_begin = path_entries;
      node.first_child = Parent(k) == 0 || parent.child_count == 0;
      node.slot = parent.slot + (node.first_child ? 0 : 1);
      ++parent.child_count;
      for (int i = 0; i < node.dofs; ++i) {
        parent_dof.push_back(i > 0 ? dofs - 1 : parent.dof + parent.dofs - 1);
        node_of_dof.push_back(k);
        if (node.dofs >= 3 && i % 3 == 0) triples.push_back(dofs);
        ++dofs;
      }
      path_entries += At(node.path);
      longest_path = std::max(longest_path, node.path);
      slots = std::max(slots, node.slot + 1);
      tour.push_back({k, true});
      const int next_on = k + 1 < count ? Parent(k + 1) : 0;
      for (int left = k; left != next_on; left = Parent(left)) tour.push_back({left, false});
    }
  }

  int Parent(int node) const { return this->groups[At(node)].parent; }

 private:
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
};

// The driven degrees of freedom.
template <class T>
std::vector<int> HeldRates(const System& system, const ReducedTree<T>& tree) {
  std::vector<int> held;
  for (const Driver& driver : system.drivers) {
    const int group = tree.GroupOf(system.joints[static_cast<std::size_t>(driver.joint)].child);
    held.push_back(tree.nodes[static_cast<std::size_t>(group)].dof);
  }
  return held;
}

// Memory that the paths and the generalised inertia need [bytes]; found in linear time and memory.
double PathBytes(const System& system);

}  // namespace mbsbench::kane_huston
