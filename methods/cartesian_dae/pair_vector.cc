#include "methods/cartesian_dae/pair_vector.h"

namespace mbsbench::cartesian {

namespace {

constexpr int kChild = kMotionSize;  // where the child's columns begin

// omega' x s + omega x (omega x s)
Vector3d PointAcceleration(const BodyMotion& body, const Vector3d& s) {
  return body.angular_acceleration.cross(s) +
         body.angular_velocity.cross(body.angular_velocity.cross(s));
}

// Derivatives of sign * R s and its two rates in the columns of one body, which begin at `at`.
void DifferentiateArm(const BodyMotion& body, const Vector3d& s, double sign, int at,
                      bool with_acceleration, VectorDerivatives& d) {
  const Vector3d& omega = body.angular_velocity;
  const Vector3d rate = omega.cross(s);
  d.value.middleCols<4>(at + kQuaternion) = sign * RotationGradient(body.quaternion, s);
  d.rate.middleCols<4>(at + kQuaternion) = sign * RotationGradient(body.quaternion, rate);
  d.rate.middleCols<3>(at + kAngularVelocity) = -sign * body.rotation * Cross(s);
  if (!with_acceleration) return;
  d.acceleration.middleCols<4>(at + kQuaternion) =
      sign * RotationGradient(body.quaternion, PointAcceleration(body, s));
  d.acceleration.middleCols<3>(at + kAngularVelocity) =
      -sign * body.rotation * (Cross(rate) + Cross(omega) * Cross(s));
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

void Differentiate(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
                   bool with_acceleration, VectorDerivatives& derivatives) {
  derivatives.value.setZero();
  derivatives.rate.setZero();
  derivatives.acceleration.setZero();
  if (vector.joins_points) {
    derivatives.value.middleCols<3>(kPosition).diagonal().setConstant(-1);
    derivatives.value.middleCols<3>(kChild + kPosition).diagonal().setConstant(1);
    derivatives.rate.middleCols<3>(kVelocity).diagonal().setConstant(-1);
    derivatives.rate.middleCols<3>(kChild + kVelocity).diagonal().setConstant(1);
  }
  DifferentiateArm(parent, vector.on_parent, -1, 0, with_acceleration, derivatives);
  DifferentiateArm(child, vector.on_child, 1, kChild, with_acceleration, derivatives);
}

void AddForce(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
              const Vector3d& f, PairForce& force) {
  if (vector.joins_points) {
    force.parent_force -= f;
    force.child_force += f;
  }
  force.parent_moment -= vector.on_parent.cross(parent.rotation.transpose() * f);
  force.child_moment += vector.on_child.cross(child.rotation.transpose() * f);
}

void AddGradient(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
                 const Vector3d& f, PairGradient& gradient) {
  if (vector.joins_points) {
    gradient.parent_position -= f;
    gradient.child_position += f;
  }
  gradient.parent_quaternion -= RotationPullback(parent.quaternion, f, vector.on_parent);
  gradient.child_quaternion += RotationPullback(child.quaternion, f, vector.on_child);
}

void AddForceDerivative(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
                        const VectorDerivatives& derivatives, const Vector3d& f,
                        const PairDerivative& f_u, PairMatrix& matrix) {
  // The derivative of V' by (v, omega) carries f to the bodies, eq. (4).
  for (int body : {0, kChild}) {
    matrix.middleRows<6>(body + kVelocity).noalias() +=
        derivatives.rate.middleCols<6>(body + kVelocity).transpose() * f_u;
  }
  matrix.block<3, 4>(kAngularVelocity, kQuaternion) -=
      Cross(vector.on_parent) * TransposedRotationGradient(parent.quaternion, f);
  matrix.block<3, 4>(kChild + kAngularVelocity, kChild + kQuaternion) +=
      Cross(vector.on_child) * TransposedRotationGradient(child.quaternion, f);
}

void AddGradientDerivative(const PairVector& vector, const VectorDerivatives& derivatives,
                           const Vector3d& f, const PairDerivative& f_u, PairMatrix& matrix) {
  for (int body : {0, kChild}) {
    matrix.middleRows<7>(body + kPosition).noalias() +=
        derivatives.value.middleCols<7>(body + kPosition).transpose() * f_u;
  }
  matrix.block<4, 4>(kQuaternion, kQuaternion) -= RotationHessian(f, vector.on_parent);
  matrix.block<4, 4>(kChild + kQuaternion, kChild + kQuaternion) +=
      RotationHessian(f, vector.on_child);
}

}  // namespace mbsbench::cartesian
