#include "methods/equivalent_particles/force_derivatives.h"

#include <array>
#include <cmath>
#include <initializer_list>

namespace mbsbench::equivalent_particles {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

Matrix3d Tilde(const Vector3d& v) {
  Matrix3d m;
  m << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return m;
}

// Derivative of a force (or couple) by an argument.
struct Dependence {
  Argument by;
  Matrix3d gradient;
};

// As many as one element has; nothing is allocated.
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
    Dependences opposite = *this;
    for (std::size_t i = 0; i < count_; ++i) opposite.items_[i].gradient *= -1;
    return opposite;
  }

 private:
  std::array<Dependence, 8> items_;
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
  // The same at a combination of another node's slots.
  void ForceOn(int node, const OnNode& at, double total, const Vector3d& f,
               const Dependences& dependences) const {
    const Vector3d arm = Position(at) - total * x_[tree_.nodes[At(node)].first_slot];
    SumsBlock block;
    for (const Dependence& d : dependences) {
      block.topRows<3>() = -total * d.gradient;
      block.bottomRows<3>() = -Tilde(arm) * d.gradient;
      sink_(node, d.by, block);
    }
    block.topRows<3>().setZero();
    block.bottomRows<3>() = Tilde(f);
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
  const Vector3d line = d.Position(e.b) - d.Position(e.a);
  const Vector3d line_rate = d.Velocity(e.b) - d.Velocity(e.a);
  const double length = line.norm();
  // Without length there is no direction and no force; what is visited stays the same.
  const double inverse = length > 0 ? 1 / length : 0;
  const Vector3d unit = inverse * line;
  const double pull = e.stiffness * (length - e.free_length) + e.damping * unit.dot(line_rate);
  const Matrix3d across = inverse * (Matrix3d::Identity() - unit * unit.transpose());
  const Matrix3d by_line =
      unit * (e.stiffness * unit + e.damping * across * line_rate).transpose() + pull * across;
  const Matrix3d by_rate = e.damping * unit * unit.transpose();
  const Dependences on_a{{{e.b, false}, by_line},
                         {{e.a, false}, -by_line},
                         {{e.b, true}, by_rate},
                         {{e.a, true}, -by_rate}};
  d.Force(e.a, 1, pull * unit, on_a);
  d.Force(e.b, 1, -pull * unit, -on_a);
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
  const Vector3d& n = e.direction;
  const double push = -e.stiffness * (n.dot(d.Position(e.point)) - e.free_position) -
                      e.damping * n.dot(d.Velocity(e.point));
  d.Force(e.point, 1, push * n,
          {{{e.point, false}, -e.stiffness * n * n.transpose()},
           {{e.point, true}, -e.damping * n * n.transpose()}});
}

// The angle q = atan2(s, c) with c = x_c.x_p, s = x_c.y_p and turns as in `angle`, and its rate
// (c s' - s c') / (c^2 + s^2).
void RevoluteSpring(const ParticleTree& tree, const Differentiation& d, const JointSpringOnNodes& e,
                    double angle) {
  const Node& node = tree.nodes[At(e.node)];
  const Vector3d xc = d.Position(e.child_x), xc_rate = d.Velocity(e.child_x);
  const Vector3d xp = d.Position(e.parent_x), xp_rate = d.Velocity(e.parent_x);
  const Vector3d yp = d.Position(e.parent_y), yp_rate = d.Velocity(e.parent_y);
  const double c = xc.dot(xp), s = xc.dot(yp), square = c * c + s * s;
  const double c_rate = xc_rate.dot(xp) + xc.dot(xp_rate);
  const double s_rate = xc_rate.dot(yp) + xc.dot(yp_rate);
  const double rate = (c * s_rate - s * c_rate) / square;
  const double q = NearestTurn(std::atan2(s, c), angle);
  const double moment = -e.stiffness * (q - e.free_coordinate) - e.damping * rate;
  const OnNode axis{e.node, {-1 / node.distance[0][1], 1 / node.distance[0][1], 0, 0}};
  const Vector3d n = d.Position(axis);
  Dependences couple{{{axis, false}, moment * Matrix3d::Identity()}};
  // From the gradients of c, s, c' and s' by a vector; those of c and s are also those of c' and s'
  // by its rate.
  const auto depends = [&](const OnNode& by, const Vector3d& c_by, const Vector3d& s_by,
                           const Vector3d& c_rate_by, const Vector3d& s_rate_by) {
    const Vector3d q_by = (c * s_by - s * c_by) / square;
    const Vector3d rate_by =
        (c_by * s_rate + c * s_rate_by - s_by * c_rate - s * c_rate_by) / square -
        2 * rate / square * (c * c_by + s * s_by);
    couple.Add({{by, false}, n * (-e.stiffness * q_by - e.damping * rate_by).transpose()});
    couple.Add({{by, true}, n * (-e.damping * q_by).transpose()});
  };
  const Vector3d zero = Vector3d::Zero();
  depends(e.child_x, xp, yp, xp_rate, yp_rate);
  depends(e.parent_x, xc, zero, xc_rate, zero);
  depends(e.parent_y, zero, xc, zero, xc_rate);
  d.Couple(e.node, 1, couple);
  d.Couple(node.parent, -1, couple);
}

void PrismaticSpring(const ParticleTree& tree, const Differentiation& d,
                     const JointSpringOnNodes& e) {
  const Node& node = tree.nodes[At(e.node)];
  const OnNode slider{e.node, {1, 0, 0, 0}};
  const OnNode rail{node.parent, node.rail_point}, axis{node.parent, node.rail_axis};
  const Vector3d gap = d.Position(slider) - d.Position(rail);
  const Vector3d gap_rate = d.Velocity(slider) - d.Velocity(rail);
  const Vector3d n = d.Position(axis), n_rate = d.Velocity(axis);
  const double f = -e.stiffness * (gap.dot(n) - e.free_coordinate) -
                   e.damping * (gap_rate.dot(n) + gap.dot(n_rate));
  const Vector3d by_gap = -e.stiffness * n - e.damping * n_rate;
  const Vector3d by_axis = -e.stiffness * gap - e.damping * gap_rate;
  const Dependences on_child{{{slider, false}, n * by_gap.transpose()},
                             {{rail, false}, -n * by_gap.transpose()},
                             {{axis, false}, n * by_axis.transpose() + f * Matrix3d::Identity()},
                             {{slider, true}, -e.damping * n * n.transpose()},
                             {{rail, true}, e.damping * n * n.transpose()},
                             {{axis, true}, -e.damping * n * gap.transpose()}};
  d.Force(slider, 1, f * n, on_child);
  d.ForceOn(node.parent, slider, 1, -f * n, -on_child);
}

}  // namespace

void DifferentiateLoads(const ParticleTree& tree, const ParticleLoads& loads, const Vector3d* x,
                        const Vector3d* v, const SumsSink& sink) {
  const Differentiation d(tree, x, v, sink);
  for (const SpringOnNodes& e : loads.springs()) Spring(d, e);
  for (const ForceOnNode& e : loads.forces()) Applied(d, e);
  for (const GroundSpringOnNode& e : loads.ground_springs()) Ground(d, e);
  for (std::size_t k = 0; k < loads.joint_springs().size(); ++k) {
    const JointSpringOnNodes& e = loads.joint_springs()[k];
    e.type == JointType::kRevolute ? RevoluteSpring(tree, d, e, loads.spring_angle(k))
                                   : PrismaticSpring(tree, d, e);
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
