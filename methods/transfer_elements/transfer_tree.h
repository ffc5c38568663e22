// The rigid groups of a system in the order of the transfers: depth first, so that chains and subtrees are contiguous.
//
// Tip side and root side: the papers transfer from the tips (input ends I) to the root (output end O). Each
// group, a body of the papers, has one output end O, its origin at the joint on its root side, and one
// input end I_k per child group.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "methods/tree_motion/group_tree.h"

namespace mbsbench {

template <class T>
struct TransferTree : GroupTree<T> {
  // Per group: the group on its first input end, and the next one on the same group as itself; 0: none.
  std::vector<int> first_input, next_input;

  explicit TransferTree(const System& system)
      : GroupTree<T>(MakeGroupTree<T>(
            system, [](const RigidGroups& rigid, const auto&) { return rigid.DepthFirst(); })),
        first_input(this->groups.size()),
        next_input(this->groups.size()) {
    for (std::size_t k = this->groups.size() - 1; k > 0; --k) {
      int& first = first_input[static_cast<std::size_t>(this->groups[k].parent)];
      next_input[k] = first;
      first = static_cast<int>(k);
    }
  }

  bool IsTip(std::size_t k) const { return first_input[k] == 0; }
  bool HasOneInput(std::size_t k) const {
    return !IsTip(k) && next_input[static_cast<std::size_t>(first_input[k])] == 0;
  }
  // visit(c) for the group c on an input end, and those on the input ends after it.
  template <class Visit>
  void ForInputsFrom(int c, Visit visit) const {
    for (; c != 0; c = next_input[static_cast<std::size_t>(c)]) visit(static_cast<std::size_t>(c));
  }
};

// Calls `visit` with the TreeJoint of a group for accelerations.
template <class T, class Visit>
auto ForHinge(const SweepGroup<T>& group, Visit visit) {
  return group.driven ? visit(FixedJoint{}) : ForMovingJoint(group.type, visit);
}

// The joint of a group, and the body nearest the root in it.
template <class T>
const Joint& JointOf(const System& system, const SweepGroup<T>& group) {
  return system.joints[static_cast<std::size_t>(group.joint)];
}
template <class T>
const Body& HeadOf(const System& system, const SweepGroup<T>& group) {
  return system.bodies[static_cast<std::size_t>(JointOf(system, group).child)];
}
// For messages.
template <class T>
std::string QuotedJoint(const System& system, const SweepGroup<T>& group) {
  return "joint '" + JointOf(system, group).name + "'";
}
template <class T>
std::string QuotedBody(const System& system, const SweepGroup<T>& group) {
  return "body '" + HeadOf(system, group).name + "'";
}

}  // namespace mbsbench
