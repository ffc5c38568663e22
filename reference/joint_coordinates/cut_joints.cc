#include "reference/joint_coordinates/cut_joints.h"

#include <array>

#include "reference/system/independent_rows.h"

namespace mbsbench::extended {

namespace {

struct Twist {  // of C relative to P: of the point in C's origin, and angular; inertial axes
  Vec3 linear, angular;
};

Vec3 Vector(const Quat& q) { return {q.x, q.y, q.z}; }
Quat Derivative(const Quat& q, const Vec3& omega) {
  return q * Quat{0, omega.x / 2, omega.y / 2, omega.z / 2};
}

// One cut joint at a position.
class Cut {
 public:
  Cut(const JointData& joint, const JointMotion& motion, Real length)
      : joint_(joint), per_length_(1 / length) {
    const CarriedPoint p = motion.PointOf(joint.parent, joint.on_parent.position),
                       c = motion.PointOf(joint.child, joint.on_child.position);
    origin_ = c.position;
    d_ = c.position - p.position;
    const Quat of_p = motion.OrientationOf(joint.parent) * joint.on_parent.orientation,
               of_c = motion.OrientationOf(joint.child) * joint.on_child.orientation;
    axes_p_ = RotationOf(of_p);
    axes_c_ = RotationOf(of_c);
    turn_ = Normalised(Conjugate(of_p) * of_c);
    length_ = joint.type == JointType::kDistance ? Norm(d_) : Real(0);
  }

  static std::size_t Displacements(JointType type) {
    return type == JointType::kDistance ? 1 : type == JointType::kPrismatic ? 2 : 3;
  }
  static std::size_t Turns(JointType type) {
    switch (type) {
      case JointType::kRevolute: return 2;
      case JointType::kPrismatic:
      case JointType::kFixed: return 3;
      case JointType::kUniversal: return 1;
      case JointType::kBall:
      case JointType::kFree:
      case JointType::kDistance: break;
      case JointType::kCylindrical:
      case JointType::kPlanar: break;  // of trees only
    }
    return 0;
  }
  std::size_t rows() const { return Displacements(joint_.type) + Turns(joint_.type); }
  const Vec3& origin() const { return origin_; }

  void Values(Real* out) const {
    if (joint_.type == JointType::kDistance) {
      out[0] = per_length_ * (length_ - joint_.length);
      return;
    }
    out = PutDisplacements(d_, out);
    if (joint_.type == JointType::kUniversal) {
      out[0] = 2 * (turn_.x * turn_.z - turn_.w * turn_.y);
    } else {
      Put(2 * Vector(turn_), Turns(joint_.type), out);
    }
  }

  // Linear in the twist.
  void Rates(const Twist& twist, Real* out) const {
    if (joint_.type == JointType::kDistance) {
      out[0] = per_length_ * Dot(d_, twist.linear) / length_;
      return;
    }
    out = PutDisplacements(twist.linear, out);
    if (Turns(joint_.type) == 0) return;
    const Quat rate = Derivative(turn_, TransposeTimes(axes_c_, twist.angular));
    if (joint_.type == JointType::kUniversal) {
      out[0] = 2 * (rate.x * turn_.z + turn_.x * rate.z - rate.w * turn_.y - turn_.w * rate.y);
    } else {
      Put(2 * Vector(rate), Turns(joint_.type), out);
    }
  }

  void SecondRates(const JointMotion& motion, Real* out) const {
    const CarriedPoint p = motion.PointOf(joint_.parent, joint_.on_parent.position),
                       c = motion.PointOf(joint_.child, joint_.on_child.position);
    const Vec3 rate = c.velocity - p.velocity, second = c.acceleration - p.acceleration;
    if (joint_.type == JointType::kDistance) {
      const Real along = Dot(d_, rate) / length_;
      out[0] = per_length_ * (Dot(d_, second) + Dot(rate, rate) - along * along) / length_;
      return;
    }
    // Seen from P, which turns.
    const Vec3 omega = motion.AngularVelocityOf(joint_.parent);
    const Vec3 seen = second - Cross(motion.AngularAccelerationOf(joint_.parent), d_) -
                      2 * Cross(omega, rate) + Cross(omega, Cross(omega, d_));
    out = PutDisplacements(seen, out);
    if (Turns(joint_.type) == 0) return;
    const Vec3 omega_c = motion.AngularVelocityOf(joint_.child);
    const Vec3 spin = omega_c - omega;
    const Vec3 spin_rate = motion.AngularAccelerationOf(joint_.child) -
                           motion.AngularAccelerationOf(joint_.parent) - Cross(omega_c, spin);
    const Vec3 in_c = TransposeTimes(axes_c_, spin), rate_in_c = TransposeTimes(axes_c_, spin_rate);
    const Quat first = Derivative(turn_, in_c);
    const Quat a = Derivative(first, in_c), b = Derivative(turn_, rate_in_c);
    const Quat both{a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
    if (joint_.type == JointType::kUniversal) {
      out[0] = 2 * (both.x * turn_.z + 2 * first.x * first.z + turn_.x * both.z - both.w * turn_.y -
                    2 * first.w * first.y - turn_.w * both.y);
    } else {
      Put(2 * Vector(both), Turns(joint_.type), out);
    }
  }

  // The force and the moment whose power along every twist is that of the multipliers.
  CutJoints::Reaction Reaction(const Real* multipliers) const {
    CutJoints::Reaction r{origin_, {}, {}};
    const auto power = [&](const Twist& twist) {
      std::array<Real, 6> rates{};
      Rates(twist, rates.data());
      Real sum = 0;
      for (std::size_t i = 0; i < rows(); ++i) sum += multipliers[i] * rates[i];
      return sum;
    };
    const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    r.force = {power({x, {}}), power({y, {}}), power({z, {}})};
    r.moment = {power({{}, x}), power({{}, y}), power({{}, z})};
    return r;
  }

 private:
  Real* PutDisplacements(const Vec3& of_c, Real* out) const {
    return Put(per_length_ * TransposeTimes(axes_p_, of_c), Displacements(joint_.type), out);
  }
  static Real* Put(const Vec3& v, std::size_t count, Real* out) {
    const std::array<Real, 3> all{v.x, v.y, v.z};
    for (std::size_t i = 0; i < count; ++i) *out++ = all[i];
    return out;
  }

  const JointData& joint_;
  Real per_length_;  // 1 / L
  Vec3 origin_, d_;
  Mat3 axes_p_, axes_c_;
  Quat turn_;
  Real length_ = 0;
};

}  // namespace

CutJoints::CutJoints(const SystemData& system, Real length) : system_(&system), length_(length) {
  for (const JointData& joint : system.loop_joints)
    rows_ += Cut::Displacements(joint.type) + Cut::Turns(joint.type);
}

CutJoints::Coordinates CutJoints::At(const JointMotion& motion) const {
  Coordinates c{std::vector<Real>(rows_), Matrix(rows_, motion.rates())};
  std::size_t row = 0;
  std::vector<int> side(motion.rates());
  for (const JointData& joint : system_->loop_joints) {
    const Cut cut(joint, motion, length_);
    cut.Values(c.values.data() + row);
    // A motion common to both sides does not move the cut.
    std::fill(side.begin(), side.end(), 0);
    motion.ForRatesOf(joint.child, [&](std::size_t k) { ++side[k]; });
    motion.ForRatesOf(joint.parent, [&](std::size_t k) { --side[k]; });
    for (std::size_t k = 0; k < side.size(); ++k) {
      if (side[k] == 0) continue;
      const Screw& screw = motion.screws()[k];
      const Vec3 linear = screw.VelocityAt(cut.origin()), angular = screw.AngularVelocity();
      std::array<Real, 6> rates{};
      cut.Rates(side[k] > 0 ? Twist{linear, angular} : Twist{-linear, -angular}, rates.data());
      for (std::size_t i = 0; i < cut.rows(); ++i) c.rates(row + i, k) = rates[i];
    }
    row += cut.rows();
  }
  return c;
}

std::vector<Real> CutJoints::KnownTo(const JointMotion& motion) const {
  const Motion absolute = motion.Absolute();
  const std::vector<LoopAccuracy> accuracy =
      AccuracyOfLoops(*system_, absolute, RotationsOf(absolute));
  std::vector<Real> known_to;
  for (std::size_t j = 0; j < accuracy.size(); ++j) {
    const JointType type = system_->loop_joints[j].type;
    known_to.insert(known_to.end(), Cut::Displacements(type), accuracy[j].length / length_);
    known_to.insert(known_to.end(), Cut::Turns(type), accuracy[j].angle);
  }
  return known_to;
}

std::vector<Real> CutJoints::SecondRates(const JointMotion& motion) const {
  std::vector<Real> second(rows_);
  std::size_t row = 0;
  for (const JointData& joint : system_->loop_joints) {
    const Cut cut(joint, motion, length_);
    cut.SecondRates(motion, second.data() + row);
    row += cut.rows();
  }
  return second;
}

std::vector<CutJoints::Reaction> CutJoints::Reactions(const JointMotion& motion,
                                                      const std::vector<Real>& multipliers) const {
  std::vector<Reaction> reactions;
  std::size_t row = 0;
  for (const JointData& joint : system_->loop_joints) {
    const Cut cut(joint, motion, length_);
    reactions.push_back(cut.Reaction(multipliers.data() + row));
    row += cut.rows();
  }
  return reactions;
}

}  // namespace mbsbench::extended
