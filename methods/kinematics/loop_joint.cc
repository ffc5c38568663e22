#include "methods/kinematics/loop_joint.h"

namespace mbsbench {

namespace {

Vector3 Column(const Matrix3& m, int axis) { return {m(0, axis), m(1, axis), m(2, axis)}; }

}  // namespace

LoopJoint::LoopJoint(const Joint& joint)
    : rows_(BlockedRowsOf(joint.type)),
      on_parent_(joint.parent_frame.position),
      on_child_(joint.child_frame.position),
      parent_axes_(DirectionCosineMatrix(Normalised(joint.parent_frame.orientation))),
      child_axes_(DirectionCosineMatrix(Normalised(joint.child_frame.orientation))),
      distance_(joint.length) {}

BodyAxes AxesOf(const BodyState& body) {
  return {body.position, DirectionCosineMatrix(body.orientation), body.velocity,
          body.angular_velocity};
}

Vector3 LoopJoint::CalcRows(const BodyAxes& parent, const BodyAxes& child, LoopRow* rows) const {
  const Matrix3 &R_p = parent.axes, &R_c = child.axes;
  const Vector3 arm_p = R_p * on_parent_, arm_c = R_c * on_child_;
  const Vector3 point = child.position + arm_c;
  const Vector3 d = point - (parent.position + arm_p);
  const Vector3 velocity_c = child.velocity + Cross(child.angular_velocity, arm_c);
  const Vector3 rate =
      velocity_c - (parent.velocity + Cross(parent.angular_velocity, arm_p));  // d'
  const Vector3& omega_p = parent.angular_velocity;
  const Vector3& omega_c = child.angular_velocity;
  LoopRow* row = rows;
  if (rows_.keeps_distance) {
    const double length = Norm(d);
    const Vector3 unit = (1 / length) * d;
    const double slope = Dot(unit, rate);
    // d'' = A_c - A_p + alpha_p x d + omega_p x (omega_p x d), and alpha_p x d is across d.
    *row++ = {
        unit,
        {},
        length - distance_,
        slope,
        Dot(unit, Cross(omega_p, Cross(omega_p, d))) + (Dot(rate, rate) - slope * slope) / length};
  }
  const Vector3 seen = rate - Cross(omega_p, d);  // v_rel
  for (int axis = 0; axis < rows_.lengths; ++axis) {
    const Vector3 e = R_p * Column(parent_axes_, axis);
    *row++ = {e, {}, Dot(e, d), Dot(e, seen), -2 * Dot(e, Cross(omega_p, seen))};
  }
  const Vector3 spin = omega_c - omega_p;
  for (const BlockedRows::Product& product : rows_.products()) {
    const Vector3 e_p = R_p * Column(parent_axes_, product.on_parent);
    const Vector3 e_c = R_c * Column(child_axes_, product.on_child);
    const Vector3 moment = Cross(e_c, e_p);
    *row++ = {{},
              moment,
              Dot(e_p, e_c),
              Dot(spin, moment),
              Dot(spin, Cross(Cross(omega_c, e_c), e_p) + Cross(e_c, Cross(omega_p, e_p)))};
  }
  return point;
}

int LoopRowCount(const System& system) {
  int rows = 0;
  for (const Joint& joint : system.loop_joints) rows += ConstraintCount(joint.type);
  return rows;
}

}  // namespace mbsbench
