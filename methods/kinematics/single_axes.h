// Joints with several axes, for methods whose equations take one axis at a time.
//
// A cylindrical, planar or universal joint is a chain of prismatic and revolute joints with massless
// links between them. Their coordinates are those of the joint in its own order, so that y = [q; u]
// is the same for both systems, and whatever the joint passes is what the last joint of its chain
// passes, about the same point. Tips first, a method eliminates the last axis and then those before
// it from what it has left: Gauss elimination of the joint's own inertia S'IS, which is never
// inverted for one axis alone.
#pragma once

#include <vector>

#include "methods/interface/method.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

struct SingleAxes {
  // Bodies of the original first, then the links; a chain stands where its joint stood.
  System system;
  std::vector<int> last_joint;  // per tree joint of the original: the last one of its chain
  // Per tree joint of `system`, and per body: the original joint; the body itself, of a link the child
  // of its joint.
  std::vector<int> original_joint, original_body;

  // The same state of `system`.
  SystemState Expanded(const SystemState& state) const;
};

bool HasSeveralAxes(JointType type);

// Of a validated system. Force elements, drivers and loop joints act where they did.
SingleAxes OnSingleAxes(const System& system);

// The method, with systems that have such joints handed to it on single axes and all that it says of
// them translated back; other systems reach it as they are.
MethodEntry OnSingleAxes(MethodEntry entry);

}  // namespace mbsbench
