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
  // No turn and a diagonal inertia: worth a kernel of their own.
  bool plain = false;
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
    const Mat<T> turn = parent.turn * Lift<T>(joint.parent_frame.orientation);
    // The body in the axes of the joint's child frame.
    const Mat<T> from_body = Transposed(Lift<T>(joint.child_frame.orientation));
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
    g.plain = diagonal && IsIdentity(g.turn);
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
