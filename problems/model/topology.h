// The tree that the joints of a system form, and what every formulation needs to walk it.
#pragma once

#include <vector>

#include "problems/model/system.h"

namespace mbsbench {

struct Topology {
  std::vector<int> order;   // bodies, root side first: a parent stands before its children
  std::vector<int> parent;  // per body: parent body or kGround
  std::vector<int> joint;   // per body: the tree joint whose child it is
  std::vector<std::vector<int>> children;  // per body: its children
  std::vector<int> roots;                  // bodies whose parent is the ground
};

// Walks the tree in time linear in bodies. Throws ModelError when a body has no joint or two, or
// when joints form a cycle, naming the body.
Topology TopologyOf(const System& system);

}  // namespace mbsbench
