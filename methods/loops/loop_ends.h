// The loop joints of a system on the rigid groups of its tree: their points and their rows.
#pragma once

#include <array>
#include <vector>

#include "methods/loops/loop_closure.h"
#include "methods/loops/loop_paths.h"
#include "methods/tree_motion/stations.h"

namespace mbsbench {

// The groups on the paths of the rows of loop joints.
template <class T>
LoopPaths PathsOfLoops(const System& system, const GroupTree<T>& tree) {
  std::vector<int> parents, child, parent;
  for (const SweepGroup<T>& group : tree.groups) parents.push_back(group.parent);
  for (const Joint& joint : system.loop_joints) {
    child.push_back(tree.GroupOf(joint.child));
    parent.push_back(tree.GroupOf(joint.parent));
  }
  return {system, parents, child, parent};
}

class LoopEnds {
 public:
  LoopEnds(const System& system, const GroupTree<double>& tree);

  // LoopClosure::CalcRows at y, after PassMotion at the same y.
  void CalcRows(const double* y, const TreeMotion<double>& motion, LoopClosure& closure);

  // A typical acceleration of the loops, with which round-off is compared: that of gravity, or centripetal ones of all groups
  // between the loops and the ground. Without gravity a balanced rotor has no other. After CalcRows.
  double TypicalAcceleration(const TreeMotion<double>& motion) const;

  // Group of the joint's child (side 0) or parent (1).
  int group(int loop, int side) const { return end(loop, side).group; }
  // From the group's origin to the joint's point, after CalcRows.
  const Vec<double>& arm(int loop, int side) const { return end(loop, side).arm; }

 private:
  struct End {
    int group = 0, station = 0;
    Vec<double> arm;
  };
  // A loop: its joint between the groups of its bodies, and the ends on child and parent.
  struct Loop {
    LoopJoint joint;
    std::array<End, 2> ends;
  };
  const End& end(int loop, int side) const {
    return loops_[static_cast<std::size_t>(loop)].ends[static_cast<std::size_t>(side)];
  }

  Stations stations_;
  std::vector<Loop> loops_;
  double gravity_;  // [m/s^2]
  double reach_;    // the largest of the bodies [m]
};

}  // namespace mbsbench
