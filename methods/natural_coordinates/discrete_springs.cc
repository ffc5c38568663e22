#include "methods/natural_coordinates/discrete_springs.h"

#include <cmath>

#include "methods/kinematics/spring_law.h"
#include "problems/model/eigen.h"
#include "problems/model/turns.h"

namespace mbsbench::natural {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Adds factor F at an affine form, and -factor dF/dvector.
void AddPull(const AffineForm& form, std::size_t place, double factor, const Vector3d& pull,
             const Matrix3d& by_vector, Column<double>& force, NaturalMatrix& matrix) {
  const auto size = AsIndex(3 * form.terms.size());
  RowBlock block(size, size);
  for (std::size_t i = 0; i < form.terms.size(); ++i) {
    const auto& [point, by] = form.terms[i];
    force.segment<3>(3 * point) += factor * by * pull;
    for (std::size_t j = 0; j < form.terms.size(); ++j)
      block.block<3, 3>(AsIndex(3 * i), AsIndex(3 * j)) =
          -factor * by * form.terms[j].second * by_vector;
  }
  matrix.AddForm(place, block);
}

}  // namespace

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
    lines_.push_back({std::move(d), e.stiffness, e.damping, e.free_length});
  }
  const auto add = [this](double stiffness, double damping, double free) -> Coordinate& {
    return coordinates_.emplace_back(
        Coordinate{.stiffness = stiffness, .damping = damping, .free_coordinate = free});
  };
  for (const GroundSpring& e : system.forces.Of<GroundSpring>()) {
    AffineForm direction;
    direction.constant = ToEigen(e.direction);
    add(e.stiffness, e.damping, e.free_position)
        .first.AddProduct(model.PointOf(e.body, e.point), direction);
  }
  for (const JointSpringDamper& e : system.forces.Of<JointSpringDamper>()) {
    const Joint& joint = system.joints[At(e.joint)];
    const auto on_parent = [&](int axis) {
      return model.AxisOf(joint.parent, joint.parent_frame, axis);
    };
    Coordinate& spring = add(e.stiffness, e.damping, e.free_coordinate);
    if (joint.type != JointType::kRevolute) {
      spring.first.AddProduct(model.LineOf(joint), on_parent(2));
      continue;
    }
    spring.turns_at = e.joint;
    const AffineForm x_c = model.AxisOf(joint.child, joint.child_frame, 0);
    spring.first.AddProduct(x_c, on_parent(0));
    spring.second.AddProduct(x_c, on_parent(1));
  }
}

std::vector<int> DiscreteSprings::Coordinate::Points() const {
  std::vector<int> points(first.unknowns().begin(), first.unknowns().end());
  for (const int point : second.unknowns())
    if (std::ranges::find(points, point) == points.end()) points.push_back(point);
  return points;
}

double DiscreteSprings::Coordinate::At(const Column<double>& q) const {
  const Column<double> none = Column<double>::Zero(q.size());
  RowValues<double> x, y;
  first.Evaluate(q, none, x);
  if (!turns()) return x.value;
  second.Evaluate(q, none, y);
  return NearestTurn(std::atan2(y.value, x.value), begin);
}

void DiscreteSprings::Start(const System& system, const JointState& joints) {
  const JointOffsets offsets = OffsetsOf(system);
  for (Coordinate& spring : coordinates_)
    if (spring.turns()) spring.begin = joints.q[At(offsets.q[At(spring.turns_at)])];
}

void DiscreteSprings::Advance(const Column<double>& q) {
  for (Coordinate& spring : coordinates_) spring.begin = spring.At(q);
}

NaturalMatrix::Forms DiscreteSprings::Forms() const {
  NaturalMatrix::Forms forms;
  for (const Line& spring : lines_) {
    std::vector<int>& points = forms.emplace_back();
    for (const auto& [point, factor] : spring.d.terms) points.push_back(point);
  }
  for (const Coordinate& spring : coordinates_) forms.push_back(spring.Points());
  return forms;
}

void DiscreteSprings::Add(const Column<double>& q_begin, const Column<double>& q, double h,
                          double factor, Column<double>& force, NaturalMatrix& matrix) const {
  std::size_t form = 0;
  for (const Line& spring : lines_) {  // (1)
    const Vector3d begin = spring.d.At(q_begin, true), end = spring.d.At(q, true);
    const double l_begin = begin.norm(), l = end.norm(), both = l_begin + l;
    const Vector3d along = both > 0 ? Vector3d((begin + end) / both) : Vector3d::Zero();
    const Vector3d unit = l > 0 ? Vector3d(end / l) : Vector3d::Zero();
    const double k = spring.stiffness, c = spring.damping / h;
    const double pull = -SpringForce(k, c, spring.free_length, 0.5 * both, l - l_begin);
    Matrix3d by = -along * (0.5 * k + c) * unit.transpose();
    if (both > 0) by -= pull / both * (Matrix3d::Identity() - along * unit.transpose());
    AddPull(spring.d, form++, factor, -pull * along, by, force, matrix);
  }
  for (const Coordinate& spring : coordinates_)
    AddAlong(spring, form++, q_begin, q, h, factor, force, matrix);
}

// The matrix contains (2) and (3) without the change of a/2 / sin(a/2).
void DiscreteSprings::AddAlong(const Coordinate& spring, std::size_t form,
                               const Column<double>& q_begin, const Column<double>& q, double h,
                               double factor, Column<double>& force, NaturalMatrix& matrix) const {
  const Column<double> none = Column<double>::Zero(q.size()), middle = 0.5 * (q_begin + q);
  RowValues<double> x, y;
  spring.first.Evaluate(middle, none, x);
  double by_x = 1, by_y = 0;  // of the coordinate
  const double begin = spring.turns() ? spring.begin : spring.At(q_begin), end = spring.At(q),
               change = end - begin;
  if (spring.turns()) {
    spring.second.Evaluate(middle, none, y);
    const double half = 0.5 * change, length = std::hypot(x.value, y.value);
    const double stretch = std::abs(half) < 1e-4 ? 1 + half * half / 6 : half / std::sin(half);
    by_x = -stretch * y.value / length, by_y = stretch * x.value / length;
  }
  const double k = spring.stiffness, c = spring.damping / h;
  const double effort = SpringForce(k, c, spring.free_coordinate, 0.5 * (begin + end), change);
  spring.first.Pull(x, factor * effort * by_x, force);
  if (spring.turns()) spring.second.Pull(y, factor * effort * by_y, force);
  const std::vector<int> points = spring.Points();
  const auto size = AsIndex(3 * points.size());
  Column<double> gradient = Column<double>::Zero(size);
  RowBlock block = RowBlock::Zero(size, size);
  const auto add = [&](const NaturalRow& row, const RowValues<double>& at, double by) {
    const auto place = [&](std::size_t i) {
      return AsIndex(3 * (std::ranges::find(points, row.unknowns()[i]) - points.begin()));
    };
    for (std::size_t i = 0; i < at.gradient.size(); ++i) {
      gradient.segment<3>(place(i)) += by * at.gradient[i];
      for (std::size_t j = 0; j < at.gradient.size(); ++j)
        block.block<3, 3>(place(i), place(j)).diagonal().array() -=
            0.5 * factor * effort * by * row.Bend(i, j);
    }
  };
  add(spring.first, x, by_x);
  if (spring.turns()) add(spring.second, y, by_y);
  block += factor * (0.5 * k + c) * gradient * gradient.transpose();
  matrix.AddForm(form, block);
}

}  // namespace mbsbench::natural
