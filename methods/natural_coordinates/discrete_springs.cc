#include "methods/natural_coordinates/discrete_springs.h"

#include <cmath>

#include "problems/model/eigen.h"
#include "problems/model/turns.h"

namespace mbsbench::natural {

System WithoutSprings(const System& system) {
  System rest = system;
  rest.forces.Of<SpringDamper>().clear();
  rest.forces.Of<GroundSpring>().clear();
  rest.forces.Of<JointSpringDamper>().clear();
  return rest;
}

DiscreteSprings::DiscreteSprings(const System& system, const NaturalModel& model) {
  for (const SpringDamper& e : system.forces.Of<SpringDamper>()) {
    AffineForm d = model.PointOf(e.body_b, e.point_b);
    d.Add(-1, model.PointOf(e.body_a, e.point_a));
    springs_.push_back({Kind::kLine, e.stiffness, e.damping, e.free_length});
    springs_.back().of.AddProduct(d, d);
  }
  for (const GroundSpring& e : system.forces.Of<GroundSpring>()) {
    AffineForm direction;
    direction.constant = ToEigen(e.direction);
    springs_.push_back({Kind::kSlide, e.stiffness, e.damping, e.free_position});
    springs_.back().of.AddProduct(model.PointOf(e.body, e.point), direction);
  }
  for (const JointSpringDamper& e : system.forces.Of<JointSpringDamper>()) {
    const Joint& joint = system.joints[At(e.joint)];
    const auto on_parent = [&](int axis) {
      return model.AxisOf(joint.parent, joint.parent_frame, axis);
    };
    const bool turns = joint.type == JointType::kRevolute;
    springs_.push_back(
        {turns ? Kind::kTurn : Kind::kSlide, e.stiffness, e.damping, e.free_coordinate, e.joint});
    NaturalRow& row = springs_.back().of;
    if (!turns) {
      row.AddProduct(model.LineOf(joint), on_parent(2));
      continue;
    }
    const AffineForm x_c = model.AxisOf(joint.child, joint.child_frame, 0);
    row.AddProduct(x_c, on_parent(0));
    row.AddProduct(x_c, on_parent(1));
  }
}

double DiscreteSprings::Spring::At(const Column<double>& q) const {
  const double product = of.ProductAt(0, q);
  if (kind == Kind::kLine) return std::sqrt(product);
  if (kind == Kind::kSlide) return product;
  return NearestTurn(std::atan2(of.ProductAt(1, q), product), begin);
}

void DiscreteSprings::Start(const System& system, const JointState& joints) {
  const JointOffsets offsets = OffsetsOf(system);
  for (Spring& spring : springs_)
    if (spring.kind == Kind::kTurn) spring.begin = joints.q[At(offsets.q[At(spring.joint)])];
}

void DiscreteSprings::Advance(const Column<double>& q) {
  for (Spring& spring : springs_) spring.begin = spring.At(q);
}

NaturalMatrix::Forces DiscreteSprings::Unknowns() const {
  NaturalMatrix::Forces unknowns;
  for (const Spring& spring : springs_)
    unknowns.emplace_back(spring.of.unknowns().begin(), spring.of.unknowns().end());
  return unknowns;
}

// The matrix contains da/dq at q_mid, its change with q by the products, and that of l_1 in (2).
void DiscreteSprings::Add(const Column<double>& q_begin, const Column<double>& q, double h,
                          double factor, std::size_t first, Column<double>& force,
                          NaturalMatrix& matrix) {
  const Column<double> middle = 0.5 * (q_begin + q);
  RowValues<double> at;
  for (Spring& spring : springs_) {
    const double begin = spring.At(q_begin), end = spring.At(q), change = end - begin;
    const double k = spring.stiffness, c = spring.damping / h;
    const double effort = -k * (0.5 * (begin + end) - spring.free_coordinate) - c * change;
    double stiffness = 0.5 * k + c;    // of the end
    if (spring.kind == Kind::kLine) {  // (2)
      const double both = begin + end;
      spring.of.SetFactor(0, both > 0 ? 1 / both : 0);
      if (both > 0) stiffness += effort / both;
    }
    if (spring.kind == Kind::kTurn) {  // (4)
      const double x = spring.of.ProductAt(0, middle), y = spring.of.ProductAt(1, middle);
      const double half = 0.5 * change, length = std::hypot(x, y);
      const double stretch = std::abs(half) < 1e-4 ? 1 + half * half / 6 : half / std::sin(half);
      spring.of.SetFactor(0, -stretch * y / length);
      spring.of.SetFactor(1, stretch * x / length);
    }
    spring.of.Evaluate(middle, middle, at);
    spring.of.Pull(at, factor * effort, force);  // (1)
    matrix.AddForce(first++,
                    StiffnessOf(spring.of, at, factor * stiffness, -0.5 * factor * effort));
  }
}

}  // namespace mbsbench::natural
