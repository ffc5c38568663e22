#include "methods/equivalent_particles/particle_loads.h"

#include <cmath>

#include "problems/model/eigen.h"

namespace mbsbench::equivalent_particles {

namespace {

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

ParticleLoads::ParticleLoads(const System& system, const ParticleTree& tree)
    : tree_(tree), spring_angles_(system.joint_spring_dampers.size()) {
  const JointOffsets offsets = OffsetsOf(system);
  std::vector<char> loaded(tree.nodes.size(), 0);
  const auto direction = [&](int node, const Vector3d& d) {
    return OnNode{node, ToWeights(tree.frames[Index(node)].OfDirection(d))};
  };
  const auto point = [&](int body, const Vector3& p) {
    const int node = GroupOf(tree.groups, body);
    loaded[Index(node)] = 1;
    return OnNode{node,
                  ToWeights(tree.frames[Index(node)].OfPoint(PointOnGroup(tree.groups, body, p)))};
  };
  for (const SpringDamper& e : system.spring_dampers) {
    springs_.push_back({point(e.body_a, e.point_a), point(e.body_b, e.point_b), e.stiffness,
                        e.damping, e.free_length});
  }
  for (const AppliedForce& e : system.applied_forces) {
    ForceOnNode force{
        point(e.body, e.point), e.in_body_axes, ToEigen(e.force), ToEigen(e.moment), {}, {}};
    if (e.in_body_axes) {
      const int node = force.point.node;
      force.force_along = direction(node, DirectionOnGroup(tree.groups, e.body, e.force)).weights;
      force.moment_along = direction(node, DirectionOnGroup(tree.groups, e.body, e.moment)).weights;
    }
    forces_.push_back(force);
  }
  for (const GroundSpring& e : system.ground_springs) {
    ground_springs_.push_back(
        {point(e.body, e.point), ToEigen(e.direction), e.stiffness, e.damping, e.free_position});
  }
  for (const JointSpringDamper& e : system.joint_spring_dampers) {
    const Joint& joint = system.joints[Index(e.joint)];
    const int node = GroupOf(tree.groups, joint.child);
    const Group& group = tree.groups.groups[Index(node)];
    JointSpringOnNodes spring{joint.type, node,        {},        {},
                              {},         e.stiffness, e.damping, e.free_coordinate};
    if (joint.type == JointType::kRevolute) {
      spring.parent_x = direction(group.parent, group.on_parent.x());
      spring.parent_y = direction(group.parent, group.on_parent.y());
      spring.child_x = direction(node, group.on_child.x());
    }
    loaded[Index(node)] = loaded[Index(group.parent)] = 1;
    joint_springs_.push_back(spring);
    spring_coordinates_.push_back(Index(offsets.q[Index(e.joint)]));
  }
  for (std::size_t n = 0; n < loaded.size(); ++n) {
    if (loaded[n] != 0) loaded_.push_back(static_cast<int>(n));
  }
}

void ParticleLoads::Start(const JointState& joints) {
  spring_angles_.Restart();
  for (std::size_t k = 0; k < joint_springs_.size(); ++k)
    spring_angles_.latest(k) = joints.q[spring_coordinates_[k]];
}

Vector3d ParticleLoads::At(const OnNode& on, const Vector3d* slots) const {
  const Node& node = tree_.nodes[Index(on.node)];
  return Combine(on.weights, slots + node.first_slot, node.count);
}

void ParticleLoads::Add(int node, const Vector3d& force, const Vector3d& point, const Vector3d* x,
                        std::span<Load> loads) const {
  Load& load = loads[Index(node)];
  load.force += force;
  load.moment += (point - x[tree_.nodes[Index(node)].first_slot]).cross(force);
}

JointCoordinate ParticleLoads::CoordinateOf(const JointSpringOnNodes& spring, const Vector3d* x,
                                            const Vector3d* v) const {
  const Node& node = tree_.nodes[Index(spring.node)];
  if (spring.type == JointType::kRevolute) {
    const Vector3d child = At(spring.child_x, x), child_rate = At(spring.child_x, v);
    const Vector3d px = At(spring.parent_x, x), px_rate = At(spring.parent_x, v);
    const Vector3d py = At(spring.parent_y, x), py_rate = At(spring.parent_y, v);
    const double c = child.dot(px), s = child.dot(py);
    const double c_rate = child_rate.dot(px) + child.dot(px_rate);
    const double s_rate = child_rate.dot(py) + child.dot(py_rate);
    return {std::atan2(s, c), (c * s_rate - s * c_rate) / (c * c + s * s)};
  }
  const Node& parent = tree_.nodes[Index(node.parent)];
  const auto on_parent = [&](const Weights& w, const Vector3d* slots) {
    return Combine(w, slots + parent.first_slot, parent.count);
  };
  const Vector3d d = x[node.first_slot] - on_parent(node.rail_point, x);
  const Vector3d d_rate = v[node.first_slot] - on_parent(node.rail_point, v);
  const Vector3d axis = on_parent(node.rail_axis, x), axis_rate = on_parent(node.rail_axis, v);
  return {d.dot(axis), d_rate.dot(axis) + d.dot(axis_rate)};
}

void ParticleLoads::Apply(double t, const Vector3d* x, const Vector3d* v, std::span<Load> loads) {
  for (int n : loaded_) loads[Index(n)] = {};
  for (const SpringOnNodes& e : springs_) {
    const Vector3d a = At(e.a, x), b = At(e.b, x);
    const double length = (b - a).norm();
    if (length == 0) continue;  // the force has no direction; its points coincide
    const Vector3d unit = (b - a) / length;
    const double rate = unit.dot(At(e.b, v) - At(e.a, v));
    const Vector3d pull = (e.stiffness * (length - e.free_length) + e.damping * rate) * unit;
    Add(e.a.node, pull, a, x, loads);
    Add(e.b.node, -pull, b, x, loads);
  }
  for (const ForceOnNode& e : forces_) {
    const auto along = [&](const Weights& w) { return At({e.point.node, w}, x); };
    Add(e.point.node, e.in_body_axes ? along(e.force_along) : e.force, At(e.point, x), x, loads);
    loads[Index(e.point.node)].moment += e.in_body_axes ? along(e.moment_along) : e.moment;
  }
  for (const GroundSpringOnNode& e : ground_springs_) {
    const Vector3d place = At(e.point, x);
    const double push = -e.stiffness * (e.direction.dot(place) - e.free_position) -
                        e.damping * e.direction.dot(At(e.point, v));
    Add(e.point.node, push * e.direction, place, x, loads);
  }
  spring_angles_.MoveTo(t);
  for (std::size_t k = 0; k < joint_springs_.size(); ++k) {
    const JointSpringOnNodes& e = joint_springs_[k];
    const Node& node = tree_.nodes[Index(e.node)];
    JointCoordinate at = CoordinateOf(e, x, v);
    if (e.type == JointType::kRevolute) at.value = Follow(at.value, spring_angles_.latest(k));
    const double f = -e.stiffness * (at.value - e.free_coordinate) - e.damping * at.rate;
    if (e.type == JointType::kRevolute) {
      const Vector3d* on_axis = x + node.first_slot;
      const Vector3d couple = f / node.distance[0][1] * (on_axis[1] - on_axis[0]);
      loads[Index(e.node)].moment += couple;
      loads[Index(node.parent)].moment -= couple;
    } else {
      const Node& parent = tree_.nodes[Index(node.parent)];
      const Vector3d force = f * Combine(node.rail_axis, x + parent.first_slot, parent.count);
      Add(e.node, force, x[node.first_slot], x, loads);
      Add(node.parent, -force, x[node.first_slot], x, loads);
    }
  }
}

double ParticleLoads::JointDamperPower(const Vector3d* x, const Vector3d* v) const {
  double power = 0;
  for (const JointSpringOnNodes& e : joint_springs_) {
    const double rate = CoordinateOf(e, x, v).rate;
    power -= e.damping * rate * rate;
  }
  return power;
}

}  // namespace mbsbench::equivalent_particles
