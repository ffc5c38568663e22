#include "methods/equivalent_particles/particle_loads.h"

#include <utility>

#include "methods/kinematics/force_elements.h"
#include "problems/model/eigen.h"

namespace mbsbench::equivalent_particles {

namespace {

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

ParticleLoads::ParticleLoads(const System& system, const ParticleTree& tree)
    : tree_(tree), joint_angles_(JointLawsOf(system).size()) {
  const JointOffsets offsets = OffsetsOf(system);
  std::vector<char> loaded(tree.nodes.size(), 0);
  const RigidGroups& groups = tree.groups;
  const auto direction = [&](int node, const Vector3d& d) {
    return OnNode{node, ToWeights(tree.frames[Index(node)].OfDirection(d))};
  };
  const auto point = [&](int body, const Vector3& p) {
    const int node = groups.GroupOf(body);
    loaded[Index(node)] = 1;
    const Vector3d on_group = ToEigen(groups.PointOnGroup(body, p));
    return OnNode{node, ToWeights(tree.frames[Index(node)].OfPoint(on_group))};
  };
  for (const SpringDamper& e : system.forces.Of<SpringDamper>())
    springs_.push_back({point(e.body_a, e.point_a), point(e.body_b, e.point_b), e});
  for (const AppliedForce& e : system.forces.Of<AppliedForce>()) {
    ForceOnNode force{
        point(e.body, e.point), e.in_body_axes, ToEigen(e.force), ToEigen(e.moment), {}, {}};
    if (e.in_body_axes) {
      const auto along = [&](const Vector3& v) {
        return direction(force.point.node, ToEigen(groups.DirectionOnGroup(e.body, v))).weights;
      };
      force.force_along = along(e.force);
      force.moment_along = along(e.moment);
    }
    forces_.push_back(force);
  }
  for (const GroundSpring& e : system.forces.Of<GroundSpring>())
    ground_springs_.push_back({point(e.body, e.point), e});
  for (PairLaw& law : PairLawsOf(system.forces)) {
    PairOnNodes on{point(law.body_a, law.frame_a.position),
                   point(law.body_b, law.frame_b.position),
                   {},
                   std::move(law)};
    const JointFrame frames[] = {AxesOf(groups.FrameOnGroup(on.law.body_a, on.law.frame_a)),
                                 AxesOf(groups.FrameOnGroup(on.law.body_b, on.law.frame_b))};
    for (std::size_t k = 0; k < (on.law.turns ? 6 : 3); ++k)
      on.axes[k] =
          direction((k < 3 ? on.a : on.b).node, frames[k / 3].axes.col(static_cast<int>(k % 3)));
    pairs_.push_back(std::move(on));
  }
  for (JointLaw& e : JointLawsOf(system)) {
    const int n = groups.GroupOf(system.joints[Index(e.joint)].child);
    const Node& node = tree.nodes[Index(n)];
    JointLawOnNodes on{!node.slides, n, {}, {}, e};
    if (on.turns) {
      const Joint& joint = system.joints[Index(e.joint)];
      const JointFrame parent = AxesOf(groups.FrameOnParent(joint)),
                       child = AxesOf(joint.child_frame);
      on.vectors = {direction(n, child.x()), direction(node.parent, parent.x()),
                    direction(node.parent, parent.y())};
    } else {
      on.vectors = {OnNode{n, {1, 0, 0, 0}}, OnNode{node.parent, node.rail_axis}, OnNode{}};
      on.rail = {node.parent, node.rail_point};
    }
    loaded[Index(n)] = loaded[Index(node.parent)] = 1;
    joint_laws_.push_back(on);
    joint_coordinates_.push_back(Index(offsets.q[Index(e.joint)]));
  }
  for (std::size_t n = 0; n < loaded.size(); ++n) {
    if (loaded[n] != 0) loaded_.push_back(static_cast<int>(n));
  }
}

void ParticleLoads::Start(const JointState& joints) {
  joint_angles_.Restart();
  for (std::size_t k = 0; k < joint_laws_.size(); ++k)
    joint_angles_.latest(k) = joints.q[joint_coordinates_[k]];
}

void ParticleLoads::Add(int node, const Vector3d& force, const Vector3d& point, const Vector3d* x,
                        std::span<Load> loads) const {
  Load& load = loads[Index(node)];
  load.force += force;
  load.moment += (point - x[tree_.nodes[Index(node)].first_slot]).cross(force);
}

VectorCoordinate ParticleLoads::CoordinateOf(const JointLawOnNodes& e, const Vector3d* x,
                                             const Vector3d* v) const {
  std::array<Vector3d, VectorCoordinate::kVectors> value, rate;
  for (std::size_t k = 0; k < e.vectors.size(); ++k) {
    value[k] = At(e.vectors[k], x);
    rate[k] = At(e.vectors[k], v);
  }
  if (e.turns) return AngleOf(value, rate);
  value[0] -= At(e.rail, x);
  rate[0] -= At(e.rail, v);
  return DisplacementOf(value, rate);
}

PairForce ParticleLoads::ForceOf(const PairOnNodes& e, const Vector3d* x, const Vector3d* v,
                                 bool with_gradients) const {
  PairForce::Vectors value, rate;
  for (std::size_t k = 0; k < e.axes.size(); ++k)
    value[k] = At(e.axes[k], x), rate[k] = At(e.axes[k], v);
  value.back() = At(e.b, x) - At(e.a, x);
  rate.back() = At(e.b, v) - At(e.a, v);
  return e.law.force(value, rate, with_gradients);
}

void ParticleLoads::Apply(double t, const Vector3d* x, const Vector3d* v, std::span<Load> loads) {
  for (int n : loaded_) loads[Index(n)] = {};
  for (const SpringOnNodes& e : springs_) {
    const Vector3d a = At(e.a, x), b = At(e.b, x);
    const Vector3d on_b = SpringDamperForce(e.law, b - a, At(e.b, v) - At(e.a, v)).force;
    Add(e.a.node, -on_b, a, x, loads);
    Add(e.b.node, on_b, b, x, loads);
  }
  for (const ForceOnNode& e : forces_) {
    const auto along = [&](const Weights& w) { return At({e.point.node, w}, x); };
    Add(e.point.node, e.in_body_axes ? along(e.force_along) : e.force, At(e.point, x), x, loads);
    loads[Index(e.point.node)].moment += e.in_body_axes ? along(e.moment_along) : e.moment;
  }
  for (const GroundSpringOnNode& e : ground_springs_) {
    const Vector3d place = At(e.point, x);
    Add(e.point.node, GroundSpringForce(e.law, place, At(e.point, v)).force, place, x, loads);
  }
  for (const PairOnNodes& e : pairs_) {
    const PairForce law = ForceOf(e, x, v, false);
    const Vector3d place = At(e.b, x);
    Add(e.b.node, law.force, place, x, loads);
    Add(e.a.node, -law.force, place, x, loads);
    loads[Index(e.b.node)].moment += law.moment;
    loads[Index(e.a.node)].moment -= law.moment;
  }
  joint_angles_.MoveTo(t);
  for (std::size_t k = 0; k < joint_laws_.size(); ++k) {
    const JointLawOnNodes& e = joint_laws_[k];
    const Node& node = tree_.nodes[Index(e.node)];
    VectorCoordinate at = CoordinateOf(e, x, v);
    if (e.turns) at.value = Follow(at.value, joint_angles_.latest(k));
    const double f = e.law.At(t, at.value, at.rate);
    const Vector3d* slots = x + node.first_slot;
    if (e.turns) {
      const Vector3d couple = f / node.distance[0][1] * (slots[1] - slots[0]);
      loads[Index(e.node)].moment += couple;
      loads[Index(node.parent)].moment -= couple;
    } else {
      const Vector3d force = f * At(e.vectors[1], x);
      Add(e.node, force, slots[0], x, loads);
      Add(node.parent, -force, slots[0], x, loads);
    }
  }
}

double ParticleLoads::JointPower(double t, const Vector3d* x, const Vector3d* v) const {
  double power = 0;
  for (const JointLawOnNodes& e : joint_laws_) {
    const double rate = CoordinateOf(e, x, v).rate;
    power += e.law.PowerAt(t, rate);
  }
  return power;
}

}  // namespace mbsbench::equivalent_particles
