// The tree formed by the joints of a system, with the indices needed to traverse it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "problems/model/system.h"

namespace mbsbench {

struct Topology {
  // The children of each body, in the order of their joints, in one array.
  class Children {
   public:
    std::span<const int> operator[](std::size_t body) const {
      return {all_.data() + first_[body], first_[body + 1] - first_[body]};
    }
    // From the joints of a system, whose bodies must exist.
    void Assign(const System& system);

   private:
    std::vector<std::size_t> first_;  // per body, and the end
    std::vector<int> all_;
  };

  std::vector<int> order;   // bodies, root side first: a parent precedes its children
  std::vector<int> parent;  // per body: parent body or kGround
  std::vector<int> joint;   // per body: the tree joint whose child it is
  Children children;
  std::vector<int> roots;  // bodies whose parent is the ground
};

// Linear in bodies. Throws ModelError naming the body if a body has no joint or two, or if joints
// form a cycle.
Topology TopologyOf(const System& system);

}  // namespace mbsbench
