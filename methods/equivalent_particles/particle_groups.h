// The rigid groups of a system: each gets one set of particles.
#pragma once

#include "methods/equivalent_particles/mass_particles.h"
#include "methods/kinematics/rigid_groups.h"

namespace mbsbench::equivalent_particles {

// Depth first, the child with the most descendants first: chains are contiguous.
RigidGroups GroupsOf(const System& system);

// A joint's frame on a group: origin and axes (columns x, y, z) in the group's axes.
struct JointFrame {
  Vector3d origin;
  Matrix3d axes;
  Vector3d x() const { return axes.col(0); }
  Vector3d y() const { return axes.col(1); }
  Vector3d z() const { return axes.col(2); }
};
JointFrame AxesOf(const Frame& frame);

}  // namespace mbsbench::equivalent_particles
