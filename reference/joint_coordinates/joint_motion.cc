#include "reference/joint_coordinates/joint_motion.h"

namespace mbsbench::extended {

namespace {

constexpr Vec3 kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};

Vec3 Unit(int axis) { return axis == 0 ? kX : axis == 1 ? kY : kZ; }

}  // namespace

JointMotion::JointMotion(const SystemData& system)
    : system_(&system),
      at_(OffsetsOf(system.model)),
      bodies_(system.bodies.size()),
      screws_(static_cast<std::size_t>(at_.u.back())) {
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const JointType type = system.joints[j].type;
    for (int k = at_.u[j]; k < at_.u[j + 1]; ++k) {
      Screw& screw = screws_[static_cast<std::size_t>(k)];
      screw.turns = !IsLength(type, k - at_.u[j]);
      screw.carried = screw.turns && !TurnsFreely(type) && k > at_.u[j];
      screw.driven = system.joints[j].driven;
      joint_of_rate_.push_back(static_cast<int>(j));
    }
  }
}

void JointMotion::Place(const std::vector<Real>& q) {
  for (int b : system_->tree.order) {
    const auto j = static_cast<std::size_t>(JointOf(b));
    const JointData& joint = system_->joints[j];
    const Real* qj = q.data() + at_.q[j];
    Screw* screw = screws_.data() + at_.u[j];
    MovingBody& body = bodies_[static_cast<std::size_t>(b)];
    Vec3 origin = joint.on_parent.position;
    if (joint.parent != kGround) {
      const MovingBody& p = bodies_[static_cast<std::size_t>(joint.parent)];
      origin = p.centre + p.rotation * origin;
    }
    Quat axes = OrientationOf(joint.parent) * joint.on_parent.orientation;  // of P, then of C
    for (const JointAxis& motion : AxesOf(joint.type)) {
      screw->axis = RotationOf(axes) * Unit(motion.axis);
      if (motion.turns) {
        axes = axes * AxisAngle(Unit(motion.axis), *qj);
      } else {
        origin = origin + *qj * screw->axis;
      }
      ++qj, ++screw;
    }
    if (TurnsFreely(joint.type)) {
      axes = axes * Quat{qj[0], qj[1], qj[2], qj[3]};
      const Mat3 r = RotationOf(axes);
      screw[0].axis = r * kX, screw[1].axis = r * kY, screw[2].axis = r * kZ;
    }
    body.orientation = axes * Conjugate(joint.on_child.orientation);
    body.rotation = RotationOf(body.orientation);
    body.joint_point = origin;
    body.centre = origin - body.rotation * joint.on_child.position;
    for (int k = at_.u[j]; k < at_.u[j + 1]; ++k)
      screws_[static_cast<std::size_t>(k)].point = origin;
  }
}

void JointMotion::Move(const std::vector<Real>& u, const std::vector<Real>& u_rates) {
  for (int b : system_->tree.order) {
    const auto j = static_cast<std::size_t>(JointOf(b));
    const int parent = system_->joints[j].parent;
    MovingBody& body = bodies_[static_cast<std::size_t>(b)];
    Vec3 slide, spin, slide_rate, spin_rate;  // relative to the parent
    for (std::size_t k = RateOf(static_cast<int>(j)); k < RateOf(static_cast<int>(j) + 1); ++k) {
      const Screw& screw = screws_[k];
      if (screw.carried) spin_rate = spin_rate + Cross(spin, u[k] * screw.axis);
      Vec3& rate = screw.turns ? spin : slide;
      rate = rate + u[k] * screw.axis;
      if (u_rates.empty()) continue;
      Vec3& second = screw.turns ? spin_rate : slide_rate;
      second = second + u_rates[k] * screw.axis;
    }
    // The parent's point at the joint, then the translations, then the arm to the mass centre.
    Vec3 velocity, acceleration, omega, alpha;
    if (parent != kGround) {
      const MovingBody& p = bodies_[static_cast<std::size_t>(parent)];
      const Vec3 arm = body.joint_point - p.centre;
      omega = p.angular_velocity;
      alpha = p.angular_acceleration;
      const Vec3 turning = Cross(omega, arm);
      velocity = p.velocity + turning;
      acceleration = p.acceleration + Cross(alpha, arm) + Cross(omega, turning);
    }
    acceleration = acceleration + 2 * Cross(omega, slide) + slide_rate;
    velocity = velocity + slide;
    body.angular_velocity = omega + spin;
    body.angular_acceleration = alpha + Cross(omega, spin) + spin_rate;
    const Vec3 arm = body.centre - body.joint_point;
    const Vec3 turning = Cross(body.angular_velocity, arm);
    body.velocity = velocity + turning;
    body.acceleration = acceleration + Cross(body.angular_acceleration, arm) +
                        Cross(body.angular_velocity, turning);
  }
}

CarriedPoint JointMotion::PointOf(int body, const Vec3& point) const {
  if (body == kGround) return {point, {}, {}};
  const MovingBody& b = bodies_[static_cast<std::size_t>(body)];
  const Vec3 arm = b.rotation * point, turning = Cross(b.angular_velocity, arm);
  return {b.centre + arm, b.velocity + turning,
          b.acceleration + Cross(b.angular_acceleration, arm) + Cross(b.angular_velocity, turning)};
}

Vec3 JointMotion::AngularVelocityOf(int body) const {
  return body == kGround ? Vec3{} : bodies_[static_cast<std::size_t>(body)].angular_velocity;
}

Vec3 JointMotion::AngularAccelerationOf(int body) const {
  return body == kGround ? Vec3{} : bodies_[static_cast<std::size_t>(body)].angular_acceleration;
}

Quat JointMotion::OrientationOf(int body) const {
  return body == kGround ? Quat{} : bodies_[static_cast<std::size_t>(body)].orientation;
}

void JointMotion::CoordinateRates(const std::vector<Real>& q, const std::vector<Real>& u,
                                  Real* out) const {
  for (std::size_t j = 0; j < system_->joints.size(); ++j) {
    const JointType type = system_->joints[j].type;
    const Real *qj = q.data() + at_.q[j], *uj = u.data() + at_.u[j];
    Real* rate = out + at_.q[j];
    const std::size_t plain = AxesOf(type).size();
    for (std::size_t i = 0; i < plain; ++i) rate[i] = uj[i];
    if (TurnsFreely(type)) {
      qj += plain, uj += plain, rate += plain;
      const Quat r = Quat{qj[0], qj[1], qj[2], qj[3]} * Quat{0, uj[0] / 2, uj[1] / 2, uj[2] / 2};
      rate[0] = r.w, rate[1] = r.x, rate[2] = r.y, rate[3] = r.z;
    }
  }
}

void JointMotion::Displace(std::size_t rate, Real change, std::vector<Real>& q) const {
  const auto j = static_cast<std::size_t>(joint_of_rate_[rate]);
  const JointType type = system_->joints[j].type;
  const auto k = static_cast<int>(rate) - at_.u[j];
  Real* qj = q.data() + at_.q[j];
  const auto plain = static_cast<int>(AxesOf(type).size());
  if (k < plain) {
    qj[k] += change;
    return;
  }
  Real* r = qj + plain;
  const Quat turned = Quat{r[0], r[1], r[2], r[3]} * AxisAngle(Unit(k - plain), change);
  r[0] = turned.w, r[1] = turned.x, r[2] = turned.y, r[3] = turned.z;
}

void JointMotion::Normalise(std::vector<Real>& q) const {
  for (std::size_t j = 0; j < system_->joints.size(); ++j) {
    const JointType type = system_->joints[j].type;
    if (!TurnsFreely(type)) continue;
    Real* r = q.data() + at_.q[j + 1] - 4;
    const Quat unit = Normalised(Quat{r[0], r[1], r[2], r[3]});
    r[0] = unit.w, r[1] = unit.x, r[2] = unit.y, r[3] = unit.z;
  }
}

Motion JointMotion::Absolute() const {
  Motion motion;
  for (const MovingBody& b : bodies_)
    motion.push_back({b.centre, Normalised(b.orientation), b.velocity, b.angular_velocity});
  return motion;
}

}  // namespace mbsbench::extended
