#include "methods/kinematics/rigid_groups.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "problems/model/state.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

}  // namespace

ListPerGroup::ListPerGroup(std::size_t groups, std::span<const int> all,
                           std::span<const int> group_of)
    : first_(groups + 1), all_(all.size()) {
  for (int g : group_of) ++first_[At(g) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (std::size_t k = 0; k < all.size(); ++k) all_[At(next[At(group_of[k])]++)] = all[k];
}

int RigidGroups::GroupOf(int body) const {
  return body == kGround ? 0 : placements[At(body)].group;
}

const Frame& RigidGroups::FrameOf(int body) const { return frames[At(placements[At(body)].frame)]; }

Vector3 RigidGroups::DirectionOnGroup(int body, const Vector3& direction) const {
  return body == kGround ? direction : Rotate(FrameOf(body).orientation, direction);
}

Vector3 RigidGroups::PointOnGroup(int body, const Vector3& point) const {
  return body == kGround ? point : FrameOf(body).position + DirectionOnGroup(body, point);
}

Frame RigidGroups::FrameOnGroup(int body, const Frame& frame) const {
  if (body == kGround) return frame;
  return {PointOnGroup(body, frame.position), FrameOf(body).orientation * frame.orientation};
}

std::vector<int> RigidGroups::DepthFirst(std::span<const int> weights) const {
  std::vector<int> order, waiting{0};
  while (!waiting.empty()) {
    order.push_back(waiting.back());
    waiting.pop_back();
    const std::span<const int> listed = children[At(order.back())];
    std::vector<int> next(listed.begin(), listed.end());
    if (!weights.empty())
      std::ranges::stable_sort(next, std::greater{}, [&](int g) { return weights[At(g)]; });
    waiting.insert(waiting.end(), next.rbegin(), next.rend());
  }
  return order;
}

void RigidGroups::Reorder(std::span<const int> order) {
  std::vector<int> place(groups.size());
  std::vector<RigidGroup> placed;
  placed.reserve(groups.size());
  for (int g : order) {
    place[At(g)] = static_cast<int>(placed.size());
    placed.push_back(groups[At(g)]);
  }
  groups = std::move(placed);
  for (RigidGroup& group : groups) group.parent = place[At(group.parent)];
  for (Placement& placement : placements) placement.group = place[At(placement.group)];
  ListMembers(std::vector<int>(bodies.all().begin(), bodies.all().end()));
}

void RigidGroups::ListMembers(std::span<const int> all_bodies) {
  std::vector<int> group_of;
  group_of.reserve(all_bodies.size());
  for (int b : all_bodies) group_of.push_back(placements[At(b)].group);
  bodies = ListPerGroup(groups.size(), all_bodies, group_of);
  std::vector<int> moving(groups.size() - 1), parents;
  std::iota(moving.begin(), moving.end(), 1);
  parents.reserve(moving.size());
  for (int g : moving) parents.push_back(groups[At(g)].parent);
  children = ListPerGroup(groups.size(), moving, parents);
}

RigidGroups MakeRigidGroups(const System& system) {
  const Topology topology = TopologyOf(system);
  const JointOffsets at = OffsetsOf(system);
  const std::vector<bool> driven = DrivenJoints(system);
  RigidGroups rigid;
  rigid.groups.reserve(system.bodies.size() + 1);
  rigid.groups.resize(1);
  rigid.placements.resize(system.bodies.size());
  for (int body : topology.order) {
    const int index = topology.joint[At(body)];
    const Joint& joint = system.joints[At(index)];
    const int parent = rigid.GroupOf(joint.parent);
    RigidGroups::Placement& placement = rigid.placements[At(body)];
    if (joint.type == JointType::kFixed) {
      const Frame on_parent = rigid.FrameOnParent(joint);
      const Quaternion axes =
          Normalised(on_parent.orientation * Conjugate(joint.child_frame.orientation));
      placement = {parent, static_cast<int>(rigid.frames.size())};
      rigid.frames.push_back({on_parent.position - Rotate(axes, joint.child_frame.position), axes});
    } else {
      placement = {static_cast<int>(rigid.groups.size()), 0};
      RigidGroup group;
      group.type = joint.type;
      group.joint = index;
      group.driven = driven[At(index)];
      group.parent = parent;
      group.q = at.q[At(index)];
      group.u = at.u[At(index)];
      rigid.groups.push_back(group);
    }
  }
  rigid.ListMembers(topology.order);
  return rigid;
}

}  // namespace mbsbench
