#pragma once

#include "methods/cartesian_dae/joint_constraints.h"

namespace mbsbench::cartesian {

// A joint, tree or loop alike, between two bodies of the system.
struct JointLink {
  JointConstraints constraints;
  int parent;  // body or kGround
  int child;
};

}  // namespace mbsbench::cartesian
