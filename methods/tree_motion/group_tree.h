// The rigid groups of a system in the form that sweeps use: axes and origin of a group are the
// child frame of the joint on its root side, so that joint coordinates rotate group axes directly
// and sweeps use joint points as origins.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "methods/kinematics/rigid_groups.h"
#include "methods/kinematics/tree_joint.h"
#include "methods/numerics/block_algebra.h"
#include "problems/model/state.h"

namespace mbsbench {

template <class T>
struct SweepGroup {
  JointType type{};     // of the moving joint
  bool driven = false;  // its rate is held
  int joint = -1;       // its index in System::joints
  int parent = 0;       // group
  int q = 0, u = 0;     // first index of its coordinates and rates in y = [q; u]
  Vec<T> arm;           // parent's origin -> origin of the joint's parent frame, parent's axes
  Mat<T> turn = Identity<T>();  // axes of the joint's parent frame -> parent's axes
  T mass{};
  Vec<T> moment;   // mass x (origin -> mass centre), own axes
  Sym<T> inertia;  // about the origin, own axes
  // Plain groups, which have their own kernel: a diagonal inertia and no rotation, except that the
  // axis of a one-axis joint may be another of the parent's axes.
  bool plain = false;
  int axis = 2;  // plain, one axis: which of the parent's it is (0: x, 1: y, 2: z)
};

// Pose of a body in its group: axes of the body -> axes of the group, and mass centre relative to
// the group's origin.
template <class T>
struct BodyInGroup {
  int group = 0;
  Mat<T> turn = Identity<T>();
  Vec<T> centre;
};

// The part of the pose that accelerations of mass centres need.
struct CentreInGroup {
  int group = 0;
  Vec<double> centre;
};

template <class T>
struct GroupTree {
  std::vector<SweepGroup<T>> groups;       // a parent stands before its children
  std::vector<BodyInGroup<T>> placements;  // per body
  // First groups of the parts of the tree, after part 0, that can be swept independently of one
  // another once part 0 is done (partition.h).
  std::vector<int> part_begins;
  int parts() const { return static_cast<int>(part_begins.size()); }

  int GroupOf(int body) const {
    return body == kGround ? 0 : placements[static_cast<std::size_t>(body)].group;
  }
  // Per joint of the system the group that it moves; -1 if it moves none.
  std::vector<int> GroupOfJoint(const System& system) const {
    std::vector<int> group(system.joints.size(), -1);
    for (std::size_t g = 1; g < groups.size(); ++g)
      group[static_cast<std::size_t>(groups[g].joint)] = static_cast<int>(g);
    return group;
  }
};

// Kind of a group: groups of one kind are swept in one run.
template <class T>
int KindOf(const SweepGroup<T>& group) {
  return 4 * static_cast<int>(group.type) + (group.driven ? 2 : 0) + (group.plain ? 1 : 0);
}

// Adds a body's mass properties to its group.
template <class T>
void Merge(const Body& body, const BodyInGroup<T>& placement, SweepGroup<T>& group) {
  const T m(body.mass);
  group.mass = group.mass + m;
  group.moment = group.moment + m * placement.centre;
  group.inertia = group.inertia + Turned(placement.turn, LiftSymmetric<T>(body.inertia)) +
                  PointInertia(m, placement.centre);
}

// An order of the groups in which parents precede their children and groups of one kind are
// consecutive: if a child of the present kind is available it is next, the latest found first, so
// that chains stay contiguous.
template <class T>
std::vector<int> RunOrder(const RigidGroups& rigid, const std::vector<SweepGroup<T>>& groups) {
  std::array<std::vector<int>, 32> waiting;
  std::vector<int> order;
  order.reserve(groups.size());
  order.push_back(0);
  std::size_t kind = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::span<const int> children = rigid.children[static_cast<std::size_t>(order[k])];
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      const int of_child = KindOf(groups[static_cast<std::size_t>(*child)]);
      waiting[static_cast<std::size_t>(of_child)].push_back(*child);
    }
    if (waiting[kind].empty()) {
      const auto most =
          std::max_element(waiting.begin(), waiting.end(),
                           [](const auto& a, const auto& b) { return a.size() < b.size(); });
      kind = static_cast<std::size_t>(most - waiting.begin());
    }
    if (waiting[kind].empty()) break;
    order.push_back(waiting[kind].back());
    waiting[kind].pop_back();
  }
  return order;
}

// Both frames of a joint may be rotated together about its axis. The rotation about z that makes
// `turn` a permutation of the parent's axes, if z is one of them; else none.
template <class T>
Mat<T> TurnToParent(const Mat<T>& turn) {
  for (int axis : {0, 1, 2}) {
    const Mat<T> C = TransposeTimes(turn, AxesEndingWith(Identity<T>(), axis));
    const T zero(0);
    const bool about_z =
        C.z.z == T(1) && C.x.z == zero && C.y.z == zero && C.z.x == zero && C.z.y == zero;
    if (about_z) return C;
  }
  return Identity<T>();
}

// Moves the record at order[k] to k, along the cycles of the permutation.
template <class Record>
void Permute(const std::vector<int>& order, std::vector<Record>& records) {
  std::vector<bool> is_placed(records.size());
  for (std::size_t begin = 0; begin < records.size(); ++begin) {
    if (is_placed[begin]) continue;
    const Record first = records[begin];
    std::size_t at = begin;
    for (auto from = static_cast<std::size_t>(order[at]); from != begin;
         from = static_cast<std::size_t>(order[at])) {
      records[at] = records[from];
      is_placed[at] = true;
      at = from;
    }
    records[at] = first;
    is_placed[at] = true;
  }
}

// Constants of a validated system; loop joints are ignored. Little data of large systems is held twice. order_of(rigid,
// groups): as RunOrder.
template <class T, class OrderOf>
GroupTree<T> MakeGroupTree(const System& system, OrderOf order_of) {
  const RigidGroups rigid = MakeRigidGroups(system);
  const int coordinates = OffsetsOf(system).q.back();
  GroupTree<T> tree;
  std::vector<SweepGroup<T>>& groups = tree.groups;
  groups.reserve(rigid.groups.size());
  tree.placements.resize(system.bodies.size());
  // The body nearest the root in a group, to which the frames of its joints refer.
  const auto head_of = [&rigid, &tree](int group) {
    if (group == 0) return BodyInGroup<T>{};
    const int body = rigid.bodies[static_cast<std::size_t>(group)].front();
    return tree.placements[static_cast<std::size_t>(body)];
  };
  for (std::size_t i = 0; i < rigid.groups.size(); ++i) {
    const RigidGroup& from = rigid.groups[i];
    BodyInGroup<T> head;
    SweepGroup<T> g;
    g.type = from.type;
    if (from.joint >= 0) {
      const BodyInGroup<T> parent = head_of(from.parent);
      const Joint& joint = system.joints[static_cast<std::size_t>(from.joint)];
      const Frame on_parent = rigid.FrameOnParent(joint);
      const Frame& on_child = joint.child_frame;
      g.driven = from.driven;
      g.joint = from.joint;
      g.parent = from.parent;
      g.q = from.q;
      g.u = coordinates + from.u;
      g.arm = parent.centre + parent.turn * Lift<T>(on_parent.position);
      g.turn = Squared(parent.turn * Squared(Lift<T>(on_parent.orientation)));
      // The body in the axes of the joint's child frame.
      head.turn = Transposed(Squared(Lift<T>(on_child.orientation)));
      if (HasOneAxis(from.type)) {
        const Mat<T> about_axis = TurnToParent(g.turn);
        g.turn = Squared(g.turn * about_axis);
        head.turn = Squared(TransposeTimes(about_axis, head.turn));
      }
      head.centre = -(head.turn * Lift<T>(on_child.position));
    }
    for (int b : rigid.bodies[i]) {
      const auto body = static_cast<std::size_t>(b);
      const Frame& in_group = rigid.FrameOf(b);
      tree.placements[body] = {static_cast<int>(i),
                               head.turn * Squared(Lift<T>(in_group.orientation)),
                               head.centre + head.turn * Lift<T>(in_group.position)};
      Merge(system.bodies[body], tree.placements[body], g);
    }
    if (HasOneAxis(g.type)) {
      for (int axis : {0, 1, 2}) {
        if (IsIdentity(TransposeTimes(AxesEndingWith(Identity<T>(), axis), g.turn))) g.axis = axis;
      }
    }
    const bool diagonal = g.inertia.xy == T(0) && g.inertia.xz == T(0) && g.inertia.yz == T(0);
    g.plain = diagonal && IsIdentity(TransposeTimes(AxesEndingWith(Identity<T>(), g.axis), g.turn));
    groups.push_back(g);
  }

  const std::vector<int> order = order_of(rigid, groups);
  std::vector<int> place(groups.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  Permute(order, groups);
  for (SweepGroup<T>& group : groups) group.parent = place[static_cast<std::size_t>(group.parent)];
  for (BodyInGroup<T>& placement : tree.placements)
    placement.group = place[static_cast<std::size_t>(placement.group)];
  return tree;
}
template <class T>
GroupTree<T> MakeGroupTree(const System& system) {
  return MakeGroupTree<T>(system, RunOrder<T>);
}

}  // namespace mbsbench
