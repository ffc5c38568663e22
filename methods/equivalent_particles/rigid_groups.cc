#include "methods/equivalent_particles/rigid_groups.h"

#include <algorithm>

#include "problems/model/eigen.h"
#include "problems/model/topology.h"

namespace mbsbench::equivalent_particles {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

Matrix3d AxesOf(const Quaternion& q) {
  return ToEigen(DirectionCosineMatrix(mbsbench::Normalised(q)));
}

// Depth first, the child with the most descendants first.
std::vector<int> DepthFirst(std::vector<Group>& groups) {
  std::vector<int> descendants(groups.size(), 1);
  for (std::size_t g = groups.size(); g-- > 1;) {
    descendants[At(groups[g].parent)] += descendants[g];
    groups[At(groups[g].parent)].children.push_back(static_cast<int>(g));
  }
  for (Group& group : groups) {
    std::stable_sort(group.children.begin(), group.children.end(), [&](int a, int b) {
      return descendants[At(a)] != descendants[At(b)] ? descendants[At(a)] > descendants[At(b)]
                                                      : a < b;
    });
  }
  std::vector<int> order, waiting{0};
  while (!waiting.empty()) {
    const int g = waiting.back();
    waiting.pop_back();
    order.push_back(g);
    const auto& children = groups[At(g)].children;
    waiting.insert(waiting.end(), children.rbegin(), children.rend());
  }
  return order;
}

}  // namespace

int GroupOf(const GroupTree& tree, int body) {
  return body == kGround ? 0 : tree.seats[At(body)].group;
}

Vector3d DirectionOnGroup(const GroupTree& tree, int body, const Vector3& direction) {
  const Vector3d d = ToEigen(direction);
  return body == kGround ? d : Vector3d(tree.seats[At(body)].axes * d);
}

Vector3d PointOnGroup(const GroupTree& tree, int body, const Vector3& point) {
  const Vector3d arm = DirectionOnGroup(tree, body, point);
  return body == kGround ? arm : Vector3d(tree.seats[At(body)].centre + arm);
}

JointFrame FrameOnGroup(const GroupTree& tree, int body, const Frame& frame) {
  const Matrix3d axes = AxesOf(frame.orientation);
  return {PointOnGroup(tree, body, frame.position),
          body == kGround ? axes : Matrix3d(tree.seats[At(body)].axes * axes)};
}

GroupTree MakeGroupTree(const System& system) {
  const Topology topology = TopologyOf(system);
  GroupTree tree;
  tree.groups.resize(1);
  tree.seats.resize(system.bodies.size());
  for (int b : topology.order) {
    const Joint& joint = system.joints[At(topology.joint[At(b)])];
    const JointFrame on_parent = FrameOnGroup(tree, joint.parent, joint.parent_frame);
    Seat& seat = tree.seats[At(b)];
    if (joint.type == JointType::kFixed) {
      seat.group = GroupOf(tree, joint.parent);
      seat.axes = on_parent.axes * AxesOf(joint.child_frame.orientation).transpose();
      seat.centre = on_parent.origin - seat.axes * ToEigen(joint.child_frame.position);
    } else {
      seat.group = static_cast<int>(tree.groups.size());
      Group group;
      group.type = joint.type;
      group.joint = topology.joint[At(b)];
      group.parent = GroupOf(tree, joint.parent);
      group.on_parent = on_parent;
      group.on_child = {ToEigen(joint.child_frame.position), AxesOf(joint.child_frame.orientation)};
      tree.groups.push_back(group);
    }
    tree.groups[At(seat.group)].bodies.push_back(b);
  }
  const std::vector<int> order = DepthFirst(tree.groups);
  std::vector<int> place(order.size());
  std::vector<Group> placed;
  for (int g : order) {
    place[At(g)] = static_cast<int>(placed.size());
    placed.push_back(std::move(tree.groups[At(g)]));
  }
  for (Group& group : placed) {
    group.parent = place[At(group.parent)];
    for (int& child : group.children) child = place[At(child)];
  }
  for (Seat& seat : tree.seats) seat.group = place[At(seat.group)];
  tree.groups = std::move(placed);
  return tree;
}

}  // namespace mbsbench::equivalent_particles
