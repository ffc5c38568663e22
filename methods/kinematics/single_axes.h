// Joints with several axes, for methods whose equations have one axis per joint.
//
// A cylindrical, planar or universal joint is a chain of prismatic and revolute joints with massless
// links between them. Their coordinates are those of the joint in its own order, so y = [q; u] is
// the same for both systems, and the wrench of the joint is that of the last joint of its chain,
// about the same point, without the force of a motor along a slide. From the tips, a method
// eliminates the last axis and then the preceding axes: this is Gaussian elimination of the joint's
// own inertia S'IS.
#pragma once

#include <vector>

#include "methods/interface/method.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

struct SingleAxes {
  // Bodies of the original first, then the links; a chain takes the place of its joint.
  System system;
  std::vector<int> last_joint;  // per tree joint of the original: the last joint of its chain
  // Per tree joint of `system`, and per body: the original joint; the body itself, or for a link the
  // child of its joint.
  std::vector<int> original_joint, original_body;

  // `state` of the original as a state of `system`.
  SystemState Expanded(const SystemState& state) const;
};

bool HasSeveralAxes(JointType type);

// `system` is validated. Force elements, drivers and loop joints act where they did.
SingleAxes OnSingleAxes(const System& system);

// The method with such joints replaced by single axes, and with its results translated back; other
// systems are passed unchanged.
MethodEntry OnSingleAxes(MethodEntry entry);

}  // namespace mbsbench
