// Tips of a tree that resist no motion of their joint.
#pragma once

#include "methods/interface/status.h"
#include "methods/tree_motion/group_tree.h"

namespace mbsbench {

// The first tip, a group that carries no other group, whose joint has no inertia about its free axes (Thresholds). For methods
// whose own matrices would show it in another measure, or not at all. Loops that end on a tip are ignored.
Status FindTipWithoutInertia(const System& system, const GroupTree<double>& tree);

// The first such tip for methods in other coordinates, without tips that a loop holds, points, which need no orientation, and
// joints with several axes other than ball and free joints.
Status FindFreeTipWithoutInertia(const System& system);

}  // namespace mbsbench
