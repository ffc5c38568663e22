#include "methods/kinematics/absolute_constraints.h"

#include <cmath>

#include "methods/kinematics/blocked_rows.h"
#include "problems/model/eigen.h"

namespace mbsbench::absolute {

namespace {

constexpr int kX = 0, kY = 1, kZ = 2;

Vector3d AxisOf(const Frame& frame, int axis) {
  return ToEigen(DirectionCosineMatrix(Normalised(frame.orientation))).col(axis);
}

}  // namespace

std::size_t JointConstraints::IndexOf(const PairVector& vector) {
  for (std::size_t k = 1; k < vectors_.size(); ++k) {
    if (vectors_[k].on_parent == vector.on_parent && vectors_[k].on_child == vector.on_child)
      return k;
  }
  vectors_.push_back(vector);
  return vectors_.size() - 1;
}

std::size_t JointConstraints::AxisOnParent(const Joint& joint, int axis) {
  return IndexOf({false, -AxisOf(joint.parent_frame, axis), Vector3d::Zero()});
}

std::size_t JointConstraints::AxisOnChild(const Joint& joint, int axis) {
  return IndexOf({false, Vector3d::Zero(), AxisOf(joint.child_frame, axis)});
}

JointConstraints::JointConstraints(const Joint& joint)
    : length_(joint.length), parent_(joint.parent), child_(joint.child) {
  const BlockedRows rows = BlockedRowsOf(joint.type);
  if (rows.size() == 0) return;
  vectors_.push_back(
      {true, ToEigen(joint.parent_frame.position), ToEigen(joint.child_frame.position)});
  pins_point_ = rows.lengths == 3;
  keeps_distance_ = rows.keeps_distance;
  lengths_ = rows.lengths + (keeps_distance_ ? 1 : 0);
  size_ = keeps_distance_ ? 1 : pins_point_ ? 3 : 0;
  for (const int axis : {kX, kY, kZ}) {
    const bool is_blocked = axis == kZ ? rows.lengths == 1 : rows.lengths == 2;
    if (is_blocked) products_.push_back({size_++, AxisOnParent(joint, axis), 0});
  }
  for (const BlockedRows::Product& product : rows.products()) {
    const std::size_t on_parent = AxisOnParent(joint, product.on_parent);
    products_.push_back({size_++, on_parent, AxisOnChild(joint, product.on_child)});
  }
}

void JointConstraints::AddDriver(const Joint& joint) {
  driven_ = true;
  turns_ = pins_point_;
  if (turns_) {
    const std::size_t x_c = AxisOnChild(joint, kX);
    products_.push_back({size_, AxisOnParent(joint, kY), x_c});
    products_.push_back({size_, AxisOnParent(joint, kX), x_c});
  } else {
    products_.push_back({size_, AxisOnParent(joint, kZ), 0});
  }
  ++size_;
  Drive(1, 0, 0);  // no factor vanishes where the pattern of a Jacobian is probed
}

void JointConstraints::Drive(double coordinate, double rate, double acceleration) {
  if (!turns_) {
    driven_to_ = coordinate;
    driven_rate_ = rate;
    driven_acceleration_ = acceleration;
    return;
  }
  const double cosine = std::cos(coordinate), sine = std::sin(coordinate);
  // (g), revolute
  Product& by_cosine = *(products_.end() - 2);
  Product& by_sine = products_.back();
  by_cosine.factor = cosine;
  by_cosine.rate = -rate * sine;
  by_cosine.acceleration = -acceleration * sine - rate * rate * cosine;
  by_sine.factor = -sine;
  by_sine.rate = -rate * cosine;
  by_sine.acceleration = -acceleration * cosine + rate * rate * sine;
}

JointConstraints::PerVector<VectorMotion> JointConstraints::Motions(const BodyMotion& parent,
                                                                    const BodyMotion& child,
                                                                    bool with_acceleration) const {
  PerVector<VectorMotion> motion;
  for (std::size_t k = 0; k < vectors_.size(); ++k)
    motion[k] = MotionOf(vectors_[k], parent, child, with_acceleration);
  return motion;
}

void JointConstraints::Evaluate(const BodyMotion& parent, const BodyMotion& child,
                                bool with_acceleration, ConstraintValues& values) const {
  const auto motion = Motions(parent, child, with_acceleration);  // (a) to (c)
  values.position.setZero();
  values.velocity.setZero();
  values.acceleration.setZero();
  if (pins_point_) {
    values.position.head<3>() = motion[0].value;
    values.velocity.head<3>() = motion[0].rate;
    values.acceleration.head<3>() = motion[0].acceleration;
  }
  if (keeps_distance_) {
    const VectorMotion& d = motion[0];  // (f)
    const double distance = d.value.norm();
    const double rate = d.value.dot(d.rate) / distance;
    values.position[0] = distance - length_;
    values.velocity[0] = rate;
    values.acceleration[0] =
        (d.value.dot(d.acceleration) + d.rate.squaredNorm() - rate * rate) / distance;
  }
  // (e)
  for (const Product& p : products_) {
    const VectorMotion &a = motion[p.left], &b = motion[p.right];
    const double value = a.value.dot(b.value), rate = a.rate.dot(b.value) + a.value.dot(b.rate);
    const double second =
        a.acceleration.dot(b.value) + 2 * a.rate.dot(b.rate) + a.value.dot(b.acceleration);
    values.position[p.row] += p.factor * value;
    values.velocity[p.row] += p.factor * rate + p.rate * value;
    values.acceleration[p.row] += p.factor * second + 2 * p.rate * rate + p.acceleration * value;
  }
  // (g), prismatic
  if (driven_) {
    values.position[size_ - 1] -= driven_to_;
    values.velocity[size_ - 1] -= driven_rate_;
    values.acceleration[size_ - 1] -= driven_acceleration_;
  }
}

ConstraintJacobian JointConstraints::Jacobian(const BodyMotion& parent,
                                              const BodyMotion& child) const {
  PerVector<Vector3d> value;
  PerVector<PairColumns> lever;
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    lever[k] = LeverOf(vectors_[k], parent, child);
    value[k] = child.rotation * vectors_[k].on_child - parent.rotation * vectors_[k].on_parent;
  }
  if (!vectors_.empty()) value[0] += child.position - parent.position;
  ConstraintJacobian rows = ConstraintJacobian::Zero();
  if (pins_point_) rows.topRows<3>() = lever[0];
  if (keeps_distance_) rows.row(0) = value[0].normalized().transpose() * lever[0];
  for (const Product& p : products_) {
    rows.row(p.row) += p.factor * (value[p.right].transpose() * lever[p.left] +
                                   value[p.left].transpose() * lever[p.right]);
  }
  return rows;
}

void JointConstraints::Differentiate(const BodyMotion& parent, const BodyMotion& child,
                                     bool with_acceleration,
                                     ConstraintDerivatives& derivatives) const {
  const auto motion = Motions(parent, child, with_acceleration);
  PerVector<VectorDerivatives> by;  // (d)
  for (std::size_t k = 0; k < vectors_.size(); ++k)
    by[k] = DerivativesOf(vectors_[k], parent, child, with_acceleration);
  ConstraintDerivatives& d = derivatives;
  for (ConstraintJacobian* rows : {&d.rows, &d.velocity, &d.acceleration, &d.by_rates})
    rows->setZero();
  if (pins_point_) {
    d.rows.topRows<3>() = by[0].lever;
    d.velocity.topRows<3>() = by[0].rate;
    d.acceleration.topRows<3>() = by[0].acceleration;
    d.by_rates.topRows<3>() = by[0].acceleration_by_rates;
  }
  if (keeps_distance_) {
    const VectorMotion& m = motion[0];  // (f), differentiated
    const double distance = m.value.norm();
    const Vector3d unit = m.value / distance;
    const double rate = unit.dot(m.rate);
    const double bend = (m.rate.squaredNorm() - rate * rate) / distance;
    const PairColumns unit_by = (by[0].lever - unit * (unit.transpose() * by[0].lever)) / distance;
    d.rows.row(0) = unit.transpose() * by[0].lever;
    d.velocity.row(0) = unit.transpose() * by[0].rate + m.rate.transpose() * unit_by;
    d.acceleration.row(0) = unit.transpose() * by[0].acceleration +
                            m.acceleration.transpose() * unit_by +
                            (2 * m.rate.transpose() * by[0].rate - 2 * rate * d.velocity.row(0) -
                             bend * d.rows.row(0)) /
                                distance;
    d.by_rates.row(0) = unit.transpose() * by[0].acceleration_by_rates +
                        2 / distance * (m.rate.transpose() * by[0].lever - rate * d.rows.row(0));
  }
  // (e), differentiated
  for (const Product& p : products_) {
    PairRow row = PairRow::Zero(), velocity = row, acceleration = row, by_rates = row;
    for (const auto& [one, other] : {std::pair{p.left, p.right}, std::pair{p.right, p.left}}) {
      const VectorDerivatives& a = by[one];
      const VectorMotion& b = motion[other];
      row += b.value.transpose() * a.lever;
      velocity += b.value.transpose() * a.rate + b.rate.transpose() * a.lever;
      if (!with_acceleration) continue;
      acceleration += b.value.transpose() * a.acceleration + 2 * b.rate.transpose() * a.rate +
                      b.acceleration.transpose() * a.lever;
      by_rates += b.value.transpose() * a.acceleration_by_rates + 2 * b.rate.transpose() * a.lever;
    }
    d.rows.row(p.row) += p.factor * row;
    d.velocity.row(p.row) += p.factor * velocity + p.rate * row;
    d.acceleration.row(p.row) +=
        p.factor * acceleration + 2 * p.rate * velocity + p.acceleration * row;
    d.by_rates.row(p.row) += p.factor * by_rates + 2 * p.rate * row;
  }
}

PairMatrix JointConstraints::DifferentiateForce(const BodyMotion& parent, const BodyMotion& child,
                                                const ConstraintVector& lambda) const {
  const auto motion = Motions(parent, child, false);
  PerVector<PairColumns> lever, pull_by;
  PerVector<Vector3d> pull;  // what the multipliers pull at each vector
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    lever[k] = LeverOf(vectors_[k], parent, child);
    pull[k].setZero();
    pull_by[k].setZero();
  }
  if (pins_point_) pull[0] = lambda.head<3>();
  if (keeps_distance_) {
    const double distance = motion[0].value.norm();
    const Vector3d unit = motion[0].value / distance;
    pull[0] = lambda[0] * unit;
    pull_by[0] = lambda[0] / distance * (lever[0] - unit * (unit.transpose() * lever[0]));
  }
  for (const Product& p : products_) {
    const double factor = p.factor * lambda[p.row];
    pull[p.left] += factor * motion[p.right].value;
    pull[p.right] += factor * motion[p.left].value;
    pull_by[p.left] += factor * lever[p.right];
    pull_by[p.right] += factor * lever[p.left];
  }
  // (h)
  PairMatrix derivative = PairMatrix::Zero();
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    if (keeps_distance_ || !products_.empty())
      derivative += lever[k].transpose().lazyProduct(pull_by[k]);
    AddPullDerivative(vectors_[k], parent, child, pull[k], derivative);
  }
  return derivative;
}

AbsoluteConstraints::AbsoluteConstraints(const System& system)
    : system_(system), tree_joints_(system.joints.size()), driven_(system.drivers.size()) {
  for (const auto* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) joints_.emplace_back(joint);
  }
  for (const Driver& driver : system.drivers) {
    const auto joint = static_cast<std::size_t>(driver.joint);
    joints_[joint].AddDriver(system.joints[joint]);
  }
}

void AbsoluteConstraints::Start(double t, const JointState& state) {
  const JointOffsets offsets = OffsetsOf(system_);
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const Driver& driver = system_.drivers[k];
    const int q = offsets.q[static_cast<std::size_t>(driver.joint)];
    driven_[k].offset = StartOffset(driver.motion, t, state.q[static_cast<std::size_t>(q)]);
  }
  SetTime(t);
}

void AbsoluteConstraints::SetTime(double t) {
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const Driver& driver = system_.drivers[k];
    MovedCoordinate<double>& q = driven_[k].now;
    q = MotionAt(driver.motion, t);
    q.position += driven_[k].offset;
    joints_[static_cast<std::size_t>(driver.joint)].Drive(q.position, q.rate, q.acceleration);
  }
}

std::vector<DriverObservation> AbsoluteConstraints::Drivers(
    std::span<const ConstraintVector> lambda) const {
  std::vector<DriverObservation> observed;
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const auto joint = static_cast<std::size_t>(system_.drivers[k].joint);
    const MovedCoordinate<double>& q = driven_[k].now;
    observed.push_back(
        {q.position, q.rate, q.acceleration, joints_[joint].DriverEffort(lambda[joint])});
  }
  return observed;
}

}  // namespace mbsbench::absolute
