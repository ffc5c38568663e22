// Bodies that fixed joints hold together move as one: a group, which gets one set of particles.
#pragma once

#include <vector>

#include "methods/equivalent_particles/mass_particles.h"
#include "problems/model/system.h"

namespace mbsbench::equivalent_particles {

// A joint's frame on a group: origin and axes (columns x, y, z) in the group's axes.
struct JointFrame {
  Vector3d origin = Vector3d::Zero();
  Matrix3d axes = Matrix3d::Identity();
  Vector3d x() const { return axes.col(0); }
  Vector3d y() const { return axes.col(1); }
  Vector3d z() const { return axes.col(2); }
};

// Where a body sits in its group: mass centre, and body axes -> group axes.
struct Seat {
  int group = 0;
  Vector3d centre = Vector3d::Zero();
  Matrix3d axes = Matrix3d::Identity();
};

// Group axes and origin are those of its body nearest the root.
struct Group {
  JointType type = JointType::kFixed;  // of the moving joint on its root side
  int joint = -1;                      // its index in System::joints
  int parent = 0;
  JointFrame on_parent, on_child;  // that joint's frames on the parent group and on this one
  std::vector<int> bodies;
  std::vector<int> children;  // groups; that with the most descendants first
};

// Group 0 is the ground with all that is fixed to it, its axes inertial. The others are in depth
// first order: a parent stands before its children, chains are contiguous.
struct GroupTree {
  std::vector<Group> groups;
  std::vector<Seat> seats;  // per body
};

GroupTree MakeGroupTree(const System& system);

// A frame on a body (or the ground) as its group sees it.
JointFrame FrameOnGroup(const GroupTree& tree, int body, const Frame& frame);
Vector3d PointOnGroup(const GroupTree& tree, int body, const Vector3& point);
Vector3d DirectionOnGroup(const GroupTree& tree, int body, const Vector3& direction);
int GroupOf(const GroupTree& tree, int body);

}  // namespace mbsbench::equivalent_particles
