#include "methods/equivalent_particles/reactions.h"

#include "problems/model/eigen.h"
#include "problems/model/topology.h"

namespace mbsbench::equivalent_particles {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// v without its part along the unit vector e.
Vector3 Across(const Vector3& v, const Vector3& e) { return v - Dot(v, e) * e; }

}  // namespace

std::vector<JointReaction> TreeReactions(const System& system, const ParticleTree& tree,
                                         const std::vector<BodyState>& bodies,
                                         std::span<const Wrench> applied, const Vector3d* x,
                                         const Vector3d* a) {
  // What the joints of each body have to pass: force, and moment about the mass centre.
  std::vector<Wrench> needed(system.bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodySeat& seat = tree.seats[b];
    const Node& node = tree.nodes[At(seat.node)];
    const Vector3d* r = x + node.first_slot;
    const Vector3d centre = ToEigen(bodies[b].position);
    Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
    for (int i = 0; i < node.count; ++i) {
      const Vector3d inertial =
          Combine(seat.second_moments[At(i)], a + node.first_slot, node.count);
      force += inertial;
      moment += (r[i] - centre).cross(inertial);
    }
    needed[b] = {FromEigen(force) - applied[b].force, FromEigen(moment) - applied[b].moment};
  }

  const Topology topology = TopologyOf(system);
  std::vector<JointReaction> reactions(system.joints.size());
  for (std::size_t k = topology.order.size(); k-- > 0;) {
    const std::size_t b = At(topology.order[k]);
    const std::size_t j = At(topology.joint[b]);
    const Joint& joint = system.joints[j];
    if (joint.type == JointType::kFree) continue;  // nothing passes
    const Vector3 arm = Rotate(bodies[b].orientation, joint.child_frame.position);
    const Vector3 force = needed[b].force;
    const Vector3 torque = needed[b].moment - Cross(arm, force);  // about the child frame's origin
    if (joint.parent != kGround) {
      const std::size_t p = At(joint.parent);
      const Vector3 parent_arm = bodies[b].position + arm - bodies[p].position;
      needed[p].force = needed[p].force + force;
      needed[p].moment = needed[p].moment + torque + Cross(parent_arm, force);
    }
    // Along free directions a constraint exerts nothing: what is there is the joint's spring.
    const Vector3 axis =
        Rotate(bodies[b].orientation, Rotate(joint.child_frame.orientation, {0, 0, 1}));
    reactions[j].force = joint.type == JointType::kPrismatic ? Across(force, axis) : force;
    reactions[j].torque = joint.type == JointType::kBall       ? Vector3{}
                          : joint.type == JointType::kRevolute ? Across(torque, axis)
                                                               : torque;
  }
  return reactions;
}

}  // namespace mbsbench::equivalent_particles
