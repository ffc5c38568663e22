#include "methods/equivalent_particles/force_derivatives.h"

#include <array>
#include <initializer_list>

#include "methods/kinematics/force_elements.h"
#include "methods/numerics/blocks_in_eigen.h"

namespace mbsbench::equivalent_particles {

namespace {

// Derivative of a force (or couple) by an argument.
struct Dependence {
  Argument by;
  Matrix3d gradient;
};

// A fixed capacity for one element; nothing is allocated.
class Dependences {
 public:
  Dependences() = default;
  Dependences(std::initializer_list<Dependence> list) {
    for (const Dependence& d : list) Add(d);
  }
  void Add(const Dependence& d) { items_[count_++] = d; }
  const Dependence* begin() const { return items_.data(); }
  const Dependence* end() const { return items_.data() + count_; }
  Dependences operator-() const {
    Dependences opposite;
    for (const Dependence& d : *this) opposite.Add({d.by, -d.gradient});
    return opposite;
  }

 private:
  std::array<Dependence, 16> items_;
  std::size_t count_ = 0;
};

class Differentiation {
 public:
  Differentiation(const ParticleTree& tree, const Vector3d* x, const Vector3d* v,
                  const SumsSink& sink)
      : tree_(tree), x_(x), v_(v), sink_(sink) {}

  Vector3d Position(const OnNode& on) const { return Value(on, x_); }
  Vector3d Velocity(const OnNode& on) const { return Value(on, v_); }

  // A force f with the given dependences that acts on the node at its combination `at`, whose weights
  // have the sum `total` (1 a point).
  void Force(const OnNode& at, double total, const Vector3d& f,
             const Dependences& dependences) const {
    ForceOn(at.node, at, total, f, dependences);
  }
  // The force acts at a combination of another node's slots.
  void ForceOn(int node, const OnNode& at, double total, const Vector3d& f,
               const Dependences& dependences) const {
    const Vector3d arm = Position(at) - total * x_[tree_.nodes[At(node)].first_slot];
    SumsBlock block;
    for (const Dependence& d : dependences) {
      block.topRows<3>() = -total * d.gradient;
      block.bottomRows<3>() = -CrossMatrix(arm) * d.gradient;
      sink_(node, d.by, block);
    }
    block.topRows<3>().setZero();
    block.bottomRows<3>() = CrossMatrix(f);
    sink_(node, {at, false}, block);
  }
  void Couple(int node, double sign, const Dependences& dependences) const {
    SumsBlock block = SumsBlock::Zero();
    for (const Dependence& d : dependences) {
      block.bottomRows<3>() = -sign * d.gradient;
      sink_(node, d.by, block);
    }
  }

 private:
  Vector3d Value(const OnNode& on, const Vector3d* slots) const {
    const Node& node = tree_.nodes[At(on.node)];
    return Combine(on.weights, slots + node.first_slot, node.count);
  }
  const ParticleTree& tree_;
  const Vector3d *x_, *v_;
  const SumsSink& sink_;
};

void Spring(const Differentiation& d, const SpringOnNodes& e) {
  const VectorForce on_b = SpringDamperForce(e.law, d.Position(e.b) - d.Position(e.a),
                                             d.Velocity(e.b) - d.Velocity(e.a));
  const Dependences dependences{{{e.b, false}, on_b.by_value},
                                {{e.a, false}, -on_b.by_value},
                                {{e.b, true}, on_b.by_rate},
                                {{e.a, true}, -on_b.by_rate}};
  d.Force(e.a, 1, -on_b.force, -dependences);
  d.Force(e.b, 1, on_b.force, dependences);
}

void Applied(const Differentiation& d, const ForceOnNode& e) {
  if (!e.in_body_axes) {
    d.Force(e.point, 1, e.force, {});
    return;
  }
  const OnNode force{e.point.node, e.force_along}, moment{e.point.node, e.moment_along};
  d.Force(e.point, 1, d.Position(force), {{{force, false}, Matrix3d::Identity()}});
  d.Couple(e.point.node, 1, {{{moment, false}, Matrix3d::Identity()}});
}

void Ground(const Differentiation& d, const GroundSpringOnNode& e) {
  const VectorForce f = GroundSpringForce(e.law, d.Position(e.point), d.Velocity(e.point));
  d.Force(e.point, 1, f.force, {{{e.point, false}, f.by_value}, {{e.point, true}, f.by_rate}});
}

void Pair(const Differentiation& d, const PairOnNodes& e, const PairForce& law) {
  constexpr std::size_t kGap = PairForce::kGap;
  Dependences force, couple;
  const auto add = [&](const OnNode& on, std::size_t k, double sign) {
    force.Add({{on, false}, sign * law.force_by[k]});
    force.Add({{on, true}, sign * law.force_by_rate[k]});
    if (!e.law.turns || k == kGap) return;
    couple.Add({{on, false}, law.moment_by[k]});
    couple.Add({{on, true}, law.moment_by_rate[k]});
  };
  for (std::size_t k = 0; k < (e.law.turns ? kGap : 3); ++k) add(e.axes[k], k, 1);
  add(e.b, kGap, 1);
  add(e.a, kGap, -1);
  d.Force(e.b, 1, law.force, force);
  d.ForceOn(e.a.node, e.b, 1, -law.force, -force);
  d.Couple(e.b.node, 1, couple);
  d.Couple(e.a.node, -1, couple);
}

// `angle`: the spring's angle with full turns.
void TurnLaw(double t, const Differentiation& d, const JointLawOnNodes& e, const Node& node,
             const VectorCoordinate& q, double angle) {
  const double moment = e.law.At(t, NearestTurn(q.value, angle), q.rate);
  const OnNode axis{e.node, {-1 / node.distance[0][1], 1 / node.distance[0][1], 0, 0}};
  const Vector3d n = d.Position(axis);
  Dependences couple{{{axis, false}, moment * Matrix3d::Identity()}};
  for (std::size_t k = 0; k < e.vectors.size(); ++k) {
    const Vector3d by = -e.law.stiffness * q.by[k] - e.law.damping * q.rate_by[k];
    couple.Add({{e.vectors[k], false}, n * by.transpose()});
    couple.Add({{e.vectors[k], true}, -e.law.damping * n * q.by[k].transpose()});
  }
  d.Couple(e.node, 1, couple);
  d.Couple(node.parent, -1, couple);
}

void SlideLaw(double t, const Differentiation& d, const JointLawOnNodes& e, const Node& node,
              const VectorCoordinate& q) {
  const OnNode &slider = e.vectors[0], &axis = e.vectors[1];
  const double f = e.law.At(t, q.value, q.rate);
  const Vector3d n = d.Position(axis);
  const Vector3d by_gap = -e.law.stiffness * q.by[0] - e.law.damping * q.rate_by[0];
  const Vector3d by_axis = -e.law.stiffness * q.by[1] - e.law.damping * q.rate_by[1];
  const Matrix3d by_gap_rate = -e.law.damping * n * q.by[0].transpose();
  const Dependences on_child{{{slider, false}, n * by_gap.transpose()},
                             {{e.rail, false}, -n * by_gap.transpose()},
                             {{axis, false}, n * by_axis.transpose() + f * Matrix3d::Identity()},
                             {{slider, true}, by_gap_rate},
                             {{e.rail, true}, -by_gap_rate},
                             {{axis, true}, -e.law.damping * n * q.by[1].transpose()}};
  d.Force(slider, 1, f * n, on_child);
  d.ForceOn(node.parent, slider, 1, -f * n, -on_child);
}

}  // namespace

void DifferentiateLoads(double t, const ParticleTree& tree, const ParticleLoads& loads,
                        const Vector3d* x, const Vector3d* v, const SumsSink& sink) {
  const Differentiation d(tree, x, v, sink);
  for (const SpringOnNodes& e : loads.springs()) Spring(d, e);
  for (const ForceOnNode& e : loads.forces()) Applied(d, e);
  for (const GroundSpringOnNode& e : loads.ground_springs()) Ground(d, e);
  for (const PairOnNodes& e : loads.pairs()) Pair(d, e, loads.ForceOf(e, x, v, true));
  for (std::size_t k = 0; k < loads.joint_laws().size(); ++k) {
    const JointLawOnNodes& e = loads.joint_laws()[k];
    const Node& node = tree.nodes[At(e.node)];
    const VectorCoordinate q = loads.CoordinateOf(e, x, v);
    e.turns ? TurnLaw(t, d, e, node, q, loads.joint_angle(k)) : SlideLaw(t, d, e, node, q);
  }
}

void DifferentiatePull(const ParticleTree& tree, const CutJoints& cuts, const CutRow& row,
                       double multiplier, const Vector3d* x, const SumsSink& sink) {
  const Differentiation d(tree, x, nullptr, sink);
  const auto pull = [&](const LinearVector& on, const LinearVector& along) {
    Dependences dependences;
    for (int k = 0; k < along.count; ++k) {
      const LinearVector::Part& part = along.parts[At(k)];
      dependences.Add({{{part.node, part.weights}, false}, multiplier * Matrix3d::Identity()});
    }
    const Vector3d force = multiplier * cuts.ValueOf(along, x, true);
    for (int k = 0; k < on.count; ++k) {
      const LinearVector::Part& part = on.parts[At(k)];
      d.Force({part.node, part.weights}, part.total, force, dependences);
    }
  };
  pull(row.u, row.w);
  pull(row.w, row.u);
}

}  // namespace mbsbench::equivalent_particles
