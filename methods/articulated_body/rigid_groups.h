// A system as the sweep sees it: rigid groups joined by moving joints.
//
// Bodies that fixed joints hold together move as one and are merged. Each group but the ground has
// exactly one moving joint on its root side; the group's axes and origin are that joint's child
// frame, so that joint coordinates turn group axes directly and the sweep works about joint points.
// Group 0 is the ground with inertial axes and all that is fixed to it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "methods/articulated_body/block_algebra.h"
#include "problems/model/state.h"
#include "problems/model/system.h"
#include "problems/model/topology.h"

namespace mbsbench::articulated_body {

template <class T>
struct RigidGroup {
  JointType type = JointType::kFixed;  // of the moving joint
  bool driven = false;                 // its rate is held
  int joint = -1;                      // its index in System::joints
  int parent = 0;                      // group
  int q = 0, u = 0;                    // where its coordinates and rates begin in y = [q; u]
  Vec<T> arm;  // parent's origin -> origin of the joint's parent frame, parent's axes
  Mat<T> turn = Identity<T>();  // axes of the joint's parent frame -> parent's axes
  T mass{};
  Vec<T> moment;   // mass x (origin -> mass centre), own axes
  Sym<T> inertia;  // about the origin, own axes
  // A diagonal inertia, and no turn but, with one axis, that its axis is another of the parent's:
  // worth a kernel of their own.
  bool plain = false;
  int axis = 2;  // plain, one axis: which of the parent's it is (0: x, 1: y, 2: z)
};

// Where a body sits in its group: axes of the body -> axes of the group, and mass centre from the
// group's origin.
template <class T>
struct Seat {
  int group = 0;
  Mat<T> turn = Identity<T>();
  Vec<T> centre;
};

template <class T>
struct GroupTree {
  std::vector<RigidGroup<T>> groups;  // a parent stands before its children
  std::vector<Seat<T>> seats;         // per body
  // Where parts of the tree begin that can be swept independently of one another once part 0 is
  // (partition.h), after that one.
  std::vector<int> part_begins;
  int parts() const { return static_cast<int>(part_begins.size()); }
};

// What the sweep treats alike, so that groups of one kind are visited in one run.
template <class T>
int KindOf(const RigidGroup<T>& group) {
  return 4 * static_cast<int>(group.type) + (group.driven ? 2 : 0) + (group.plain ? 1 : 0);
}

// Adds a body's mass properties to its group (Steiner's theorem).
template <class T>
void Merge(const Body& body, const Seat<T>& seat, RigidGroup<T>& group) {
  const T m(body.mass);
  const Vec<T>& c = seat.centre;
  const Vec<T> mc = m * c;
  const T square = Dot(mc, c);
  group.mass = group.mass + m;
  group.moment = group.moment + mc;
  group.inertia = group.inertia + Turned(seat.turn, LiftSymmetric<T>(body.inertia)) +
                  Sym<T>{square - mc.x * c.x, -mc.x * c.y, -mc.x * c.z,
                         square - mc.y * c.y, -mc.y * c.z, square - mc.z * c.z};
}

// An order of the groups in which a parent stands before its children and groups of one kind follow
// one another: while a child of the present kind waits it is next, the latest found first, so that
// chains stay contiguous.
template <class T>
std::vector<int> RunOrder(const std::vector<RigidGroup<T>>& groups) {
  std::vector<std::vector<int>> children(groups.size());
  for (std::size_t i = groups.size(); i-- > 1;) {
    children[static_cast<std::size_t>(groups[i].parent)].push_back(static_cast<int>(i));
  }
  std::array<std::vector<int>, 32> waiting;
  std::vector<int> order{0};
  std::size_t kind = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (int child : children[static_cast<std::size_t>(order[k])]) {
      waiting[static_cast<std::size_t>(KindOf(groups[static_cast<std::size_t>(child)]))].push_back(
          child);
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

// About its own axis a joint's frames may be turned at will, both alike. The turn about z after which
// `turn` is but another order of the parent's axes, where z is one of them; else none.
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

// Merges the bodies of a validated system into groups; loop joints are not looked at.
template <class T>
GroupTree<T> MakeGroupTree(const System& system) {
  const Topology topology = TopologyOf(system);
  const JointOffsets at = OffsetsOf(system);
  const std::vector<bool> driven = DrivenJoints(system);
  std::vector<RigidGroup<T>> groups(1);
  std::vector<Seat<T>> seats(system.bodies.size());
  for (int b : topology.order) {
    const auto body = static_cast<std::size_t>(b);
    const auto j = static_cast<std::size_t>(topology.joint[body]);
    const Joint& joint = system.joints[j];
    // The joint's parent frame in the group that carries it.
    const Seat<T> parent =
        joint.parent == kGround ? Seat<T>{} : seats[static_cast<std::size_t>(joint.parent)];
    const Vec<T> arm = parent.centre + parent.turn * Lift<T>(joint.parent_frame.position);
    Mat<T> turn = Squared(parent.turn * Squared(Lift<T>(joint.parent_frame.orientation)));
    // The body in the axes of the joint's child frame.
    Mat<T> from_body = Transposed(Squared(Lift<T>(joint.child_frame.orientation)));
    if (joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic) {
      const Mat<T> about_axis = TurnToParent(turn);
      turn = Squared(turn * about_axis);
      from_body = Squared(TransposeTimes(about_axis, from_body));
    }
    const Vec<T> centre = -(from_body * Lift<T>(joint.child_frame.position));
    Seat<T>& seat = seats[body];
    if (joint.type == JointType::kFixed) {
      seat = {parent.group, turn * from_body, arm + turn * centre};
    } else {
      seat = {static_cast<int>(groups.size()), from_body, centre};
      RigidGroup<T> group;
      group.type = joint.type;
      group.driven = driven[j];
      group.joint = static_cast<int>(j);
      group.parent = parent.group;
      group.q = at.q[j];
      group.u = at.q.back() + at.u[j];
      group.arm = arm;
      group.turn = turn;
      groups.push_back(group);
    }
    Merge(system.bodies[body], seat, groups[static_cast<std::size_t>(seat.group)]);
  }
  for (RigidGroup<T>& g : groups) {
    const bool diagonal = g.inertia.xy == T(0) && g.inertia.xz == T(0) && g.inertia.yz == T(0);
    if (g.type == JointType::kRevolute || g.type == JointType::kPrismatic) {
      for (int axis : {0, 1, 2}) {
        if (IsIdentity(TransposeTimes(AxesEndingWith(Identity<T>(), axis), g.turn))) g.axis = axis;
      }
    }
    g.plain = diagonal && IsIdentity(TransposeTimes(AxesEndingWith(Identity<T>(), g.axis), g.turn));
  }

  GroupTree<T> tree;
  std::vector<int> place(groups.size());
  for (int g : RunOrder(groups)) {
    place[static_cast<std::size_t>(g)] = static_cast<int>(tree.groups.size());
    tree.groups.push_back(groups[static_cast<std::size_t>(g)]);
    RigidGroup<T>& placed = tree.groups.back();
    placed.parent = place[static_cast<std::size_t>(placed.parent)];
  }
  for (Seat<T>& seat : seats) seat.group = place[static_cast<std::size_t>(seat.group)];
  tree.seats = std::move(seats);
  return tree;
}

}  // namespace mbsbench::articulated_body
