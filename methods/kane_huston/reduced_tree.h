// The tree as Kane's equations walk it: bodies that fixed joints hold together are one node, nodes
// and degrees of freedom are numbered depth first (a path without branchings is a contiguous
// range), and every node holds its path: the degrees of freedom from the ground to it.
#pragma once

#include <cstddef>
#include <vector>

#include "problems/model/system.h"

namespace mbsbench::kane_huston {

// Bodies moving as one. The node frame has the axes of its body nearest the root and its origin in
// the common mass centre.
struct Node {
  int parent = kGround;  // node or kGround
  int joint = 0;         // index into System::joints
  JointType type{};
  Vector3 parent_point;    // joint frame on the parent: origin in the parent's node frame
  Quaternion parent_axes;  // and its axes -> parent's node axes
  Vector3 child_point;     // joint frame on this node
  Quaternion child_axes;   // joint axes -> node axes
  double mass = 0;         // [kg]
  Matrix3 inertia = Diagonal(0, 0, 0);  // about the common mass centre, node axes [kg m^2]
  int q = 0, u = 0;                     // where its coordinates and rates begin in JointState
  int dof = 0;                          // its first degree of freedom in depth-first numbering
  int dofs = 0;                         // how many it has
  int path = 0;                         // degrees of freedom on its path, its own included
  std::size_t path_begin = 0;           // sum of `path` over the nodes before it
  int child_count = 0;
  // Work row in which sums over the subtree are formed: inherited from the first child, so that a
  // chain needs one.
  int slot = 0;
  bool first_child = true;
};

// Where a body sits in its node; constant.
struct Member {
  int node = kGround;  // kGround: held by the ground
  Vector3 position;    // of the mass centre in the node frame
  Quaternion axes;     // body axes -> node axes
};

// One step of the walk around the tree.
struct TourStep {
  int node = 0;
  bool enter = true;  // false: leave it for good
};

struct ReducedTree {
  std::vector<Node> nodes;      // depth first: a parent stands before its children
  std::vector<Member> members;  // per body
  std::vector<TourStep> tour;   // enters a node before and leaves it after its subtree
  std::vector<int> node_of_dof;
  std::vector<int> parent_dof;  // per degree of freedom: the one before it on the path, or -1
  int dofs = 0;
  int longest_path = 0;
  int slots = 0;
  std::size_t path_entries = 0;  // sum of `path` over all nodes
};

ReducedTree Reduce(const System& system);

// The degrees of freedom that drivers hold.
std::vector<int> HeldRates(const System& system, const ReducedTree& tree);

// Memory that the paths and the generalised inertia need [bytes]; found in linear time and memory.
double PathBytes(const System& system);

}  // namespace mbsbench::kane_huston
