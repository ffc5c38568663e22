// The tree formed by the joints of a system, with the indices needed to traverse it.
#pragma once

#include <vector>

#include "problems/model/system.h"

namespace mbsbench {

struct Topology {
  std::vector<int> order;   // bodies, root side first: a parent precedes its children
  std::vector<int> parent;  // per body: parent body or kGround
  std::vector<int> joint;   // per body: the tree joint whose child it is
  std::vector<std::vector<int>> children;  // per body: its children
  std::vector<int> roots;                  // bodies whose parent is the ground
};

// Linear in bodies. Throws ModelError naming the body if a body has no joint or two, or if joints
// form a cycle.
Topology TopologyOf(const System& system);

}  // namespace mbsbench
