#include "reference/system/constraints.h"

namespace mbsbench::extended {

namespace {

Vec6 Stack(const Vec3& linear, const Vec3& angular) {
  return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}

// Adds rows to one joint; d is the vector from the parent's joint point to the child's.
class RowBuilder {
 public:
  RowBuilder(const PointMotion& p, const PointMotion& c)
      : p_(p),
        c_(c),
        d_(c.position - p.position),
        d_rate_(c.velocity - p.velocity),
        d_bias_(c.centripetal - p.centripetal) {}

  // d = 0 along the inertial axis e.
  void Coincide(const Vec3& e) {
    Append(Stack(-e, Cross(e, p_.arm)), Stack(e, Cross(c_.arm, e)), Dot(d_, e), Dot(d_rate_, e),
           -Dot(d_bias_, e));
  }

  // d . w = 0, w fixed on the parent: d' . w + d . (omega_P x w) is its rate.
  void StayOnAxis(const Vec3& w) {
    const Vec3 w_rate = Cross(p_.angular_velocity, w);
    const Vec3 w_bias = Cross(p_.angular_velocity, w_rate);
    Append(Stack(-w, Cross(w, p_.arm + d_)), Stack(w, Cross(c_.arm, w)), Dot(d_, w),
           Dot(d_rate_, w) + Dot(d_, w_rate),
           -(Dot(d_bias_, w) + 2 * Dot(d_rate_, w_rate) + Dot(d_, w_bias)));
  }

  // u . w = 0, u fixed on the child, w on the parent.
  void Perpendicular(const Vec3& u, const Vec3& w) {
    const Vec3 n = Cross(u, w);
    const Vec3 u_rate = Cross(c_.angular_velocity, u), w_rate = Cross(p_.angular_velocity, w);
    const Vec3 u_bias = Cross(c_.angular_velocity, u_rate);
    const Vec3 w_bias = Cross(p_.angular_velocity, w_rate);
    Append(Stack({}, -n), Stack({}, n), Dot(u, w), Dot(u_rate, w) + Dot(u, w_rate),
           -(Dot(u_bias, w) + 2 * Dot(u_rate, w_rate) + Dot(u, w_bias)));
  }

  // (d . d - length^2) / (2 length) = 0.
  void KeepDistance(Real length) {
    const Vec3 e = (1 / length) * d_;
    Append(Stack(-e, Cross(e, p_.arm)), Stack(e, Cross(c_.arm, e)),
           (Dot(d_, d_) - length * length) / (2 * length), Dot(e, d_rate_),
           -(Dot(d_rate_, d_rate_) / length + Dot(e, d_bias_)));
  }

  // The rate of a turn about, or of a slide along, the axis w of the parent is that of the motion.
  void HoldTurn(const Vec3& w, const MovedCoordinate<Real>& motion) {
    const Vec3 spin = c_.angular_velocity - p_.angular_velocity;
    Append(Stack({}, -w), Stack({}, w), 0, Dot(spin, w) - motion.rate,
           motion.acceleration - Dot(spin, Cross(p_.angular_velocity, w)));
    rows_.driven = true;
  }
  void HoldSlide(const Vec3& w, const MovedCoordinate<Real>& motion) {
    StayOnAxis(w);
    rows_.position[rows_.count - 1] = 0;
    rows_.velocity[rows_.count - 1] -= motion.rate;
    rows_.gamma[rows_.count - 1] += motion.acceleration;
    rows_.driven = true;
  }

  const JointRows& rows() const { return rows_; }

 private:
  void Append(const Vec6& on_parent, const Vec6& on_child, Real position, Real velocity,
              Real gamma) {
    const std::size_t i = rows_.count++;
    rows_.on_parent[i] = on_parent;
    rows_.on_child[i] = on_child;
    rows_.position[i] = position;
    rows_.velocity[i] = velocity;
    rows_.gamma[i] = gamma;
  }

  const PointMotion& p_;
  const PointMotion& c_;
  Vec3 d_, d_rate_, d_bias_;
  JointRows rows_;
};

}  // namespace

JointRows RowsOf(const JointData& joint, const Motion& motion, const std::vector<Mat3>& rotations) {
  if (joint.type == JointType::kFree) return {};
  const PointMotion p = MotionOfPoint(joint.on_parent.position, joint.parent, motion, rotations);
  const PointMotion c = MotionOfPoint(joint.on_child.position, joint.child, motion, rotations);
  RowBuilder builder(p, c);
  if (joint.type == JointType::kDistance) {
    builder.KeepDistance(joint.length);
    return builder.rows();
  }
  const auto on_parent = [&](const Vec3& axis) { return Direction(axis, joint.parent, rotations); };
  const auto on_child = [&](const Vec3& axis) { return Direction(axis, joint.child, rotations); };
  if (joint.type == JointType::kPrismatic || joint.type == JointType::kCylindrical) {
    builder.StayOnAxis(on_parent(joint.on_parent.x));
    builder.StayOnAxis(on_parent(joint.on_parent.y));
  } else if (joint.type == JointType::kPlanar) {
    builder.StayOnAxis(on_parent(joint.on_parent.z));
  } else {
    builder.Coincide({1, 0, 0});
    builder.Coincide({0, 1, 0});
    builder.Coincide({0, 0, 1});
  }
  if (joint.type == JointType::kBall) return builder.rows();
  if (joint.type == JointType::kUniversal) {
    builder.Perpendicular(on_child(joint.on_child.x), on_parent(joint.on_parent.z));
    return builder.rows();
  }
  builder.Perpendicular(on_child(joint.on_child.z), on_parent(joint.on_parent.x));
  builder.Perpendicular(on_child(joint.on_child.z), on_parent(joint.on_parent.y));
  if (joint.type == JointType::kPrismatic || joint.type == JointType::kFixed) {
    builder.Perpendicular(on_child(joint.on_child.x), on_parent(joint.on_parent.y));
  }
  if (joint.driven) {
    const Vec3 axis = on_parent(joint.on_parent.z);
    if (joint.type == JointType::kPrismatic) {
      builder.HoldSlide(axis, joint.motion);
    } else {
      builder.HoldTurn(axis, joint.motion);
    }
  }
  return builder.rows();
}

Vec6 WrenchOnChild(const JointData& joint, const JointRows& rows, const Motion& motion,
                   const std::vector<Mat3>& rotations, const Vec6& multipliers) {
  Vec6 wrench{};
  const std::size_t reacting = rows.count - (rows.driven ? 1 : 0);
  for (std::size_t i = 0; i < reacting; ++i) {
    for (std::size_t k = 0; k < 6; ++k) wrench[k] -= rows.on_child[i][k] * multipliers[i];
  }
  const Vec3 arm = MotionOfPoint(joint.on_child.position, joint.child, motion, rotations).arm;
  const Vec3 moment =
      Vec3{wrench[3], wrench[4], wrench[5]} - Cross(arm, Vec3{wrench[0], wrench[1], wrench[2]});
  return {wrench[0], wrench[1], wrench[2], moment.x, moment.y, moment.z};
}

}  // namespace mbsbench::extended
