#include "methods/cartesian_dae/force_derivatives.h"

#include <cmath>

#include "methods/kinematics/followed_angles.h"
#include "methods/kinematics/force_elements.h"
#include "problems/model/eigen.h"

namespace mbsbench::cartesian {

namespace {

constexpr int kChild = kMotionSize;

Vector4d AsVector(const Quaternion& q) { return {q.w, q.x, q.y, q.z}; }

// Derivatives by a normalised quaternion -> derivatives by q: multiplies by (1 - n n')/|q|, n =
// q/|q|.
template <typename Columns>
void ThroughNormalisation(const Vector4d& q, Columns&& columns) {
  const double norm = q.norm();
  const Vector4d n = q / norm;
  columns = ((columns - (columns * n) * n.transpose()) / norm).eval();
}

// (q_p f_p)* (q_c f_c) has the z part A' Z B and the real part A' B, with A = q_p f_p, B = q_c f_c.
Matrix4d AxialPart() {
  Matrix4d z = Matrix4d::Zero();
  z(0, 3) = 1, z(1, 2) = -1, z(2, 1) = 1, z(3, 0) = -1;
  return z;
}

// q * f = Q(f) q
Matrix4d FrameProduct(const Vector4d& f) {
  Matrix4d m = RightProduct(f.tail<3>());
  m.diagonal().array() += f[0];
  return m;
}

}  // namespace

BodyMotion Normalised(const BodyMotion& body) {
  BodyMotion unit = body;
  unit.quaternion.normalize();
  unit.rotation = RotationForm(unit.quaternion);
  return unit;
}

void DifferentiateSpringDamper(const SpringDamper& element, const BodyMotion& a,
                               const BodyMotion& b, PairMatrix& matrix) {
  matrix.setZero();
  const BodyMotion parent = Normalised(a), child = Normalised(b);
  const PairVector line{true, ToEigen(element.point_a), ToEigen(element.point_b)};
  const VectorMotion d = MotionOf(line, parent, child, false);
  const double length = d.value.norm();
  if (length == 0) return;  // the element exerts no force there
  VectorDerivatives d_u;
  Differentiate(line, parent, child, false, d_u);
  const Vector3d unit = d.value / length;
  const double pull =
      element.stiffness * (length - element.free_length) + element.damping * unit.dot(d.rate);
  const PairRow length_u = unit.transpose() * d_u.value;
  const PairDerivative unit_u = (d_u.value - unit * length_u) / length;
  const PairRow rate_u = unit.transpose() * d_u.rate + d.rate.transpose() * unit_u;
  const PairRow pull_u = element.stiffness * length_u + element.damping * rate_u;
  const PairDerivative f_u = -(unit * pull_u + pull * unit_u);
  AddForceDerivative(line, parent, child, d_u, -pull * unit, f_u, matrix);
  ThroughNormalisation(a.quaternion, matrix.middleCols<4>(kQuaternion));
  ThroughNormalisation(b.quaternion, matrix.middleCols<4>(kChild + kQuaternion));
}

void DifferentiateAppliedForce(const AppliedForce& element, const BodyMotion& body,
                               PairMatrix& matrix) {
  matrix.setZero();
  const Vector4d q = body.quaternion.normalized();
  const Vector3d force = ToEigen(element.force), moment = ToEigen(element.moment);
  if (element.in_body_axes) {
    matrix.block<3, 4>(kVelocity, kQuaternion) = RotationGradient(q, force);
  } else {
    matrix.block<3, 4>(kAngularVelocity, kQuaternion) =
        Cross(ToEigen(element.point)) * TransposedRotationGradient(q, force) +
        TransposedRotationGradient(q, moment);
  }
  ThroughNormalisation(body.quaternion, matrix.middleCols<4>(kQuaternion));
}

void DifferentiateGroundSpring(const GroundSpring& element, const BodyMotion& body,
                               PairMatrix& matrix) {
  matrix.setZero();
  const BodyMotion ground = BodyMotion::Ground(), child = Normalised(body);
  const PairVector position{true, Vector3d::Zero(), ToEigen(element.point)};
  const Vector3d n = ToEigen(element.direction);
  const VectorMotion p = MotionOf(position, ground, child, false);
  VectorDerivatives p_u;
  Differentiate(position, ground, child, false, p_u);
  const double push = -element.stiffness * (n.dot(p.value) - element.free_position) -
                      element.damping * n.dot(p.rate);
  const PairRow push_u =
      -n.transpose() * (element.stiffness * p_u.value + element.damping * p_u.rate);
  AddForceDerivative(position, ground, child, p_u, push * n, n * push_u, matrix);
  ThroughNormalisation(body.quaternion, matrix.middleCols<4>(kChild + kQuaternion));
}

JointSpring::JointSpring(const JointSpringDamper& element, const Joint& joint)
    : element_(element), is_revolute_(joint.type == JointType::kRevolute) {
  const Quaternion parent = mbsbench::Normalised(joint.parent_frame.orientation);
  const Quaternion child = mbsbench::Normalised(joint.child_frame.orientation);
  parent_frame_ = AsVector(parent);
  child_frame_ = AsVector(child);
  parent_axis_ = ToEigen(Rotate(parent, {0, 0, 1}));
  child_axis_ = ToEigen(Rotate(child, {0, 0, 1}));
  displacement_ = {true, ToEigen(joint.parent_frame.position), ToEigen(joint.child_frame.position)};
  direction_ = {false, -parent_axis_, Vector3d::Zero()};
}

JointSpring::Coordinate JointSpring::Evaluate(const BodyMotion& parent,
                                              const BodyMotion& child) const {
  if (is_revolute_) {
    const Vector4d a = FrameProduct(parent_frame_) * parent.quaternion;
    const Vector4d b = FrameProduct(child_frame_) * child.quaternion;
    const double z = a.dot(AxialPart() * b), w = a.dot(b);
    return {std::remainder(2 * std::atan2(z, w), 2 * M_PI),
            child_axis_.dot(child.angular_velocity) - parent_axis_.dot(parent.angular_velocity)};
  }
  const VectorMotion d = MotionOf(displacement_, parent, child, false);
  const VectorMotion axis = MotionOf(direction_, parent, child, false);
  return {d.value.dot(axis.value), d.rate.dot(axis.value) + d.value.dot(axis.rate)};
}

JointSpring::Coordinate JointSpring::Evaluate(const BodyMotion& parent, const BodyMotion& child,
                                              PairRow& value_u, PairRow& rate_u) const {
  value_u.setZero();
  rate_u.setZero();
  if (is_revolute_) {
    const Matrix4d f_p = FrameProduct(parent_frame_), f_c = FrameProduct(child_frame_);
    const Vector4d a = f_p * parent.quaternion, b = f_c * child.quaternion;
    const Vector4d z_b = AxialPart() * b, z_a = AxialPart().transpose() * a;
    const double z = a.dot(z_b), w = a.dot(b);
    const double scale = 2 / (z * z + w * w);  // d atan2(z, w) = (w dz - z dw) / (z^2 + w^2)
    value_u.segment<4>(kQuaternion) = scale * (f_p.transpose() * (w * z_b - z * b)).transpose();
    value_u.segment<4>(kChild + kQuaternion) =
        scale * (f_c.transpose() * (w * z_a - z * a)).transpose();
    rate_u.segment<3>(kAngularVelocity) = -parent_axis_.transpose();
    rate_u.segment<3>(kChild + kAngularVelocity) = child_axis_.transpose();
    return Evaluate(parent, child);
  }
  const VectorMotion d = MotionOf(displacement_, parent, child, false);
  const VectorMotion axis = MotionOf(direction_, parent, child, false);
  VectorDerivatives d_u, axis_u;
  cartesian::Differentiate(displacement_, parent, child, false, d_u);
  cartesian::Differentiate(direction_, parent, child, false, axis_u);
  value_u = axis.value.transpose() * d_u.value + d.value.transpose() * axis_u.value;
  rate_u = axis.value.transpose() * d_u.rate + d.rate.transpose() * axis_u.value +
           axis.rate.transpose() * d_u.value + d.value.transpose() * axis_u.rate;
  return Evaluate(parent, child);
}

void JointSpring::AddForceTo(const BodyMotion& parent, const BodyMotion& child, double& last,
                             PairForce& force) const {
  const Coordinate at = Evaluate(parent, child);
  if (is_revolute_) {
    const double f = JointSpringForce(element_, Follow(at.value, last), at.rate);
    force.parent_moment -= f * parent_axis_;
    force.child_moment += f * child_axis_;
    return;
  }
  const double f = JointSpringForce(element_, at.value, at.rate);
  const Vector3d d = MotionOf(displacement_, parent, child, false).value;
  const Vector3d axis = MotionOf(direction_, parent, child, false).value;
  AddForce(displacement_, parent, child, f * axis, force);
  AddForce(direction_, parent, child, f * d, force);
}

double JointSpring::Rate(const BodyMotion& parent, const BodyMotion& child) const {
  return Evaluate(parent, child).rate;
}

void JointSpring::Differentiate(const BodyMotion& parent, const BodyMotion& child,
                                PairMatrix& matrix) const {
  matrix.setZero();
  PairRow value_u, rate_u;
  const Coordinate at = Evaluate(parent, child, value_u, rate_u);
  const PairRow f_u = -element_.stiffness * value_u - element_.damping * rate_u;
  if (is_revolute_) {  // the moment keeps to the bodies' axes: turns do not matter
    matrix.middleRows<3>(kAngularVelocity) = -parent_axis_ * f_u;
    matrix.middleRows<3>(kChild + kAngularVelocity) = child_axis_ * f_u;
    return;
  }
  const double f = JointSpringForce(element_, at.value, at.rate);
  const Vector3d d = MotionOf(displacement_, parent, child, false).value;
  const Vector3d axis = MotionOf(direction_, parent, child, false).value;
  VectorDerivatives d_u, axis_u;
  cartesian::Differentiate(displacement_, parent, child, false, d_u);
  cartesian::Differentiate(direction_, parent, child, false, axis_u);
  AddForceDerivative(displacement_, parent, child, d_u, f * axis, axis * f_u + f * axis_u.value,
                     matrix);
  AddForceDerivative(direction_, parent, child, axis_u, f * d, d * f_u + f * d_u.value, matrix);
}

}  // namespace mbsbench::cartesian
