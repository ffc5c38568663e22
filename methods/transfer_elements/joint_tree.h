// A system prepared for sweeps from the root to the tips and back: bodies in an order in which a
// parent stands before its children and a chain lies contiguous, each with the joint on its root
// side.
//
// Tip side and root side: the papers transfer from the tips (input ends I) to the root (output end
// O). So each body has one output end O, where the joint on its root side sits, and one input end
// I_k per body that hangs on it. A body's own axes here are those of its output joint frame (the
// child frame), with the origin in O: then the joint coordinates turn body axes directly. About the
// axis of a revolute or prismatic joint they may be turned at will, with the joint's axes on the root
// side: so that, where the joint's axis is one of the parent's, the other two are as well.
#pragma once

#include <vector>

#include "methods/kinematics/tree_joint.h"
#include "methods/numerics/block_algebra.h"
#include "problems/model/system.h"

namespace mbsbench {

// Constants of one body and of the joint in its output end. Body axes, from O, unless said
// otherwise.
struct TreeElement {
  JointType type{};
  bool driven = false;              // the joint is driven: accelerations pass it like a fixed one
  bool parent_axes_aligned = true;  // joint axes on the root side = the parent's axes
  // Revolute and prismatic joints: which of the parent's axes their own is (0: x, 1: y, 2: z), where the
  // joint's axes are the parent's in cyclic order; else -1.
  int parent_axis = -1;
  int parent = 0;    // index into the motions: 0 is the ground, k + 1 element k
  int q = 0, u = 0;  // where the joint's coordinates and rates begin in y = [q; u]
  int angle = -1;    // where the angle of a joint that turns about its axis stands in y; else -1
  double mass = 0;
  Vec<double> r_OC;       // output end -> mass centre
  Sym<double> J_O;        // about the output end
  Vec<double> arm;        // parent's O -> origin of the joint frame on the root side, parent's axes
  Mat<double> root_axes;  // that frame's axes in the parent's axes
  // Joint springs and dampers, summed: generalised force offset - stiffness q - damping u.
  double spring_offset = 0, stiffness = 0, damping = 0;
  int body = 0, joint = 0;  // indices into System::bodies and ::joints
  int children = 0;         // bodies that hang on this one; the first of them is the next element
};

struct JointTree {
  std::vector<TreeElement> elements;      // root side first
  std::vector<int> element_of_body;       // per body of the system
  std::vector<Quaternion> joint_to_body;  // per element: axes used here -> body axes of the system
  int coordinate_count = 0, rate_count = 0;
  bool has_joint_springs = false;
  Vec<double> gravity;
};

// Calls `visit` with the TreeJoint that an element is to accelerations.
template <class Visit>
auto ForHinge(const TreeElement& e, Visit visit) {
  return e.driven ? visit(FixedJoint{}) : ForJoint(e.type, visit);
}

// Prepares a validated system; loop joints are not looked at.
JointTree MakeJointTree(const System& system);

}  // namespace mbsbench
