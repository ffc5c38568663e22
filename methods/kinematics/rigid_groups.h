// Rigid groups: bodies that fixed joints hold together move as one. A tree method in joint
// coordinates starts from the groups of a system and the moving joints between them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "problems/model/system.h"

namespace mbsbench {

// Origin and axes of a group are those of its body nearest the root; the ground's are inertial.
struct RigidGroup {
  JointType type = JointType::kFixed;  // of the moving joint on its root side
  int joint = -1;                      // its index in System::joints; -1: this is the ground
  bool driven = false;                 // its rate is held
  int parent = 0;                      // group
  int q = 0, u = 0;                    // first index of its coordinates and rates in JointState
};

// One list per group, all in one array.
class ListPerGroup {
 public:
  ListPerGroup() = default;
  // The entry k of `all` is on the list of group_of[k]; entries of one list keep their order.
  ListPerGroup(std::size_t groups, std::span<const int> all, std::span<const int> group_of);
  std::span<const int> operator[](std::size_t group) const {
    const auto first = static_cast<std::size_t>(first_[group]);
    return {all_.data() + first, static_cast<std::size_t>(first_[group + 1]) - first};
  }
  std::span<const int> all() const { return all_; }

 private:
  std::vector<int> first_;  // per group, and the end
  std::vector<int> all_;
};

struct RigidGroups {
  // Group 0 is the ground with all bodies fixed to it. Parents precede their children.
  std::vector<RigidGroup> groups;
  ListPerGroup bodies;    // root side first
  ListPerGroup children;  // groups, in the order of `groups`
  // Per body.
  struct Placement {
    int group = 0;
    int frame = 0;  // index into `frames`
  };
  std::vector<Placement> placements;
  // Frames of the bodies in their groups: position of the mass centre, body axes -> group axes. The first frame is that
  // of the bodies nearest the root.
  std::vector<Frame> frames{Frame{}};

  int GroupOf(int body) const;  // also of the ground
  const Frame& FrameOf(int body) const;
  // The parent frame of the joint that moves a group, relative to the parent group. The child frame is that of the
  // joint.
  Frame FrameOnParent(const Joint& joint) const {
    return FrameOnGroup(joint.parent, joint.parent_frame);
  }

  // A frame on a body (or on the ground), relative to the group.
  Frame FrameOnGroup(int body, const Frame& frame) const;
  Vector3 PointOnGroup(int body, const Vector3& point) const;
  Vector3 DirectionOnGroup(int body, const Vector3& direction) const;

  // The groups depth first, so that chains and subtrees lie contiguous: children in the listed order, or by weights
  // per group, the heaviest first.
  std::vector<int> DepthFirst(std::span<const int> weights = {}) const;

  // Renumbers the groups in the given `order`, the ground first and a parent before its children.
  void Reorder(std::span<const int> order);

  // Sets `bodies` and `children` from `placements` and `groups`. A group lists its bodies in their order here.
  void ListMembers(std::span<const int> all_bodies);
};

// The groups of a validated system, nearest to the root first; loop joints are ignored. Linear in
// bodies.
RigidGroups MakeRigidGroups(const System& system);

}  // namespace mbsbench
