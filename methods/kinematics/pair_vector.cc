#include "methods/kinematics/pair_vector.h"

namespace mbsbench::absolute {

namespace {

// omega' x s + omega x (omega x s)
Vector3d PointAcceleration(const BodyMotion& body, const Vector3d& s) {
  return body.angular_acceleration.cross(s) +
         body.angular_velocity.cross(body.angular_velocity.cross(s));
}

}  // namespace

VectorMotion MotionOf(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
                      bool with_acceleration) {
  const Vector3d& s_c = vector.on_child;
  const Vector3d& s_p = vector.on_parent;
  VectorMotion m;
  m.value = child.rotation * s_c - parent.rotation * s_p;
  m.rate = child.rotation * child.angular_velocity.cross(s_c) -
           parent.rotation * parent.angular_velocity.cross(s_p);
  m.acceleration.setZero();
  if (with_acceleration) {
    m.acceleration = child.rotation * PointAcceleration(child, s_c) -
                     parent.rotation * PointAcceleration(parent, s_p);
  }
  if (vector.joins_points) {
    m.value += child.position - parent.position;
    m.rate += child.velocity - parent.velocity;
    if (with_acceleration) m.acceleration += child.acceleration - parent.acceleration;
  }
  return m;
}

PairColumns LeverOf(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child) {
  PairColumns lever = PairColumns::Zero();
  if (vector.joins_points) {
    lever.leftCols<3>().diagonal().setConstant(-1);
    lever.middleCols<3>(kChild).diagonal().setConstant(1);
  }
  lever.middleCols<3>(kParentTurn) = parent.rotation * Cross(vector.on_parent);
  lever.middleCols<3>(kChildTurn) = -child.rotation * Cross(vector.on_child);
  return lever;
}

VectorDerivatives DerivativesOf(const PairVector& vector, const BodyMotion& parent,
                                const BodyMotion& child, bool with_acceleration) {
  VectorDerivatives d;
  d.lever = LeverOf(vector, parent, child);
  d.rate.setZero();
  d.acceleration.setZero();
  d.acceleration_by_rates.setZero();
  const auto arm = [&](const BodyMotion& body, const Vector3d& s, double sign, int at) {
    const Vector3d& omega = body.angular_velocity;
    const Vector3d rate = omega.cross(s);
    const Matrix3d turn = -sign * body.rotation;
    d.rate.middleCols<3>(at) = turn * Cross(rate);
    if (!with_acceleration) return;
    d.acceleration.middleCols<3>(at) = turn * Cross(PointAcceleration(body, s));
    d.acceleration_by_rates.middleCols<3>(at) = turn * (Cross(rate) + Cross(omega) * Cross(s));
  };
  arm(parent, vector.on_parent, -1, kParentTurn);
  arm(child, vector.on_child, 1, kChildTurn);
  return d;
}

PairVectorOfRates PullOf(const PairVector& vector, const BodyMotion& parent,
                         const BodyMotion& child, const Vector3d& f) {
  PairVectorOfRates pull = PairVectorOfRates::Zero();
  if (vector.joins_points) {
    pull.head<3>() = -f;
    pull.segment<3>(kChild) = f;
  }
  pull.segment<3>(kParentTurn) = -vector.on_parent.cross(parent.rotation.transpose() * f);
  pull.segment<3>(kChildTurn) = vector.on_child.cross(child.rotation.transpose() * f);
  return pull;
}

void AddPullDerivative(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
                       const Vector3d& f, PairMatrix& derivative) {
  derivative.block<3, 3>(kParentTurn, kParentTurn) -=
      Cross(vector.on_parent) * Cross(parent.rotation.transpose() * f);
  derivative.block<3, 3>(kChildTurn, kChildTurn) +=
      Cross(vector.on_child) * Cross(child.rotation.transpose() * f);
}

}  // namespace mbsbench::absolute
