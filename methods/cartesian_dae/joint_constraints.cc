#include "methods/cartesian_dae/joint_constraints.h"

#include <cmath>

#include "problems/model/eigen.h"

namespace mbsbench::cartesian {

namespace {

// A product of two vectors, its rates, and their derivatives by the pair's coordinates.
struct Scalar {
  double value, rate, acceleration;
};
Scalar Dot(const VectorMotion& a, const VectorMotion& b) {
  return {a.value.dot(b.value), a.rate.dot(b.value) + a.value.dot(b.rate),
          a.acceleration.dot(b.value) + 2 * a.rate.dot(b.rate) + a.value.dot(b.acceleration)};
}
struct ScalarDerivatives {
  PairRow value, rate, acceleration;
};
ScalarDerivatives DotDerivatives(const VectorMotion& a, const VectorMotion& b,
                                 const VectorDerivatives& a_u, const VectorDerivatives& b_u,
                                 bool with_acceleration) {
  ScalarDerivatives d;
  d.value = b.value.transpose() * a_u.value + a.value.transpose() * b_u.value;
  d.rate = b.value.transpose() * a_u.rate + a.rate.transpose() * b_u.value +
           b.rate.transpose() * a_u.value + a.value.transpose() * b_u.rate;
  if (with_acceleration) {
    d.acceleration =
        b.value.transpose() * a_u.acceleration + a.acceleration.transpose() * b_u.value +
        2 * (b.rate.transpose() * a_u.rate + a.rate.transpose() * b_u.rate) +
        b.acceleration.transpose() * a_u.value + a.value.transpose() * b_u.acceleration;
  }
  return d;
}

}  // namespace

std::size_t JointConstraints::AddAxisOnParent(const Joint& joint, int axis) {
  const Matrix3d axes = ToEigen(DirectionCosineMatrix(Normalised(joint.parent_frame.orientation)));
  vectors_.push_back({false, -axes.col(axis), Vector3d::Zero()});
  return vectors_.size() - 1;
}

std::size_t JointConstraints::AddAxisOnChild(const Joint& joint, int axis) {
  const Matrix3d axes = ToEigen(DirectionCosineMatrix(Normalised(joint.child_frame.orientation)));
  vectors_.push_back({false, Vector3d::Zero(), axes.col(axis)});
  return vectors_.size() - 1;
}

JointConstraints::JointConstraints(const Joint& joint) {
  if (joint.type == JointType::kFree) return;
  vectors_.push_back(
      {true, ToEigen(joint.parent_frame.position), ToEigen(joint.child_frame.position)});
  const auto on_parent = [&](int axis) { return AddAxisOnParent(joint, axis); };
  const auto on_child = [&](int axis) { return AddAxisOnChild(joint, axis); };
  pins_point_ = joint.type == JointType::kBall || joint.type == JointType::kRevolute ||
                joint.type == JointType::kFixed || joint.type == JointType::kUniversal;
  keeps_distance_ = joint.type == JointType::kDistance;
  length_ = joint.length;
  if (joint.type == JointType::kUniversal) {
    products_.push_back({on_parent(2), on_child(0)});
  } else if (joint.type != JointType::kBall && joint.type != JointType::kDistance) {
    const std::size_t x_p = on_parent(0), y_p = on_parent(1), z_c = on_child(2);
    if (joint.type == JointType::kPrismatic) products_ = {{x_p, 0}, {y_p, 0}};
    products_.push_back({x_p, z_c});
    products_.push_back({y_p, z_c});
    if (joint.type != JointType::kRevolute) products_.push_back({y_p, on_child(0)});
  }
  size_ = ConstraintCount(joint.type);
}

void JointConstraints::AddDriver(const Joint& joint, double speed) {
  driven_ = true;
  turns_ = joint.type == JointType::kRevolute;
  if (turns_) {
    const std::size_t x_p = products_[0].left, y_p = products_[1].left;
    const std::size_t x_c = AddAxisOnChild(joint, 0);
    driver_.first = {y_p, x_c};
    driver_.second = {x_p, x_c};
  } else {
    driver_.first = driver_.second = {AddAxisOnParent(joint, 2), 0};
  }
  speed_ = speed;
  ++size_;
  StartDriver(1);  // no factor vanishes where the pattern of the Jacobian is probed
}

void JointConstraints::StartDriver(double coordinate) {
  start_ = coordinate;
  SetTime(0);
}

void JointConstraints::SetTime(double t) {
  const double phi = start_ + speed_ * t;
  if (!turns_) {
    driver_.a = 1;
    driver_.c = phi;
    driver_.c_rate = speed_;
    return;
  }
  const double cosine = std::cos(phi), sine = std::sin(phi);
  driver_.a = cosine;
  driver_.b = -sine;
  driver_.a_rate = -speed_ * sine;
  driver_.b_rate = -speed_ * cosine;
  driver_.a_acceleration = -speed_ * speed_ * cosine;
  driver_.b_acceleration = speed_ * speed_ * sine;
}

std::array<VectorMotion, JointConstraints::kMaxVectors> JointConstraints::Motions(
    const BodyMotion& parent, const BodyMotion& child, bool with_acceleration) const {
  std::array<VectorMotion, kMaxVectors> motion;
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    motion[k] = MotionOf(vectors_[k], parent, child, with_acceleration);
  }
  return motion;
}

void JointConstraints::Evaluate(const BodyMotion& parent, const BodyMotion& child,
                                bool with_acceleration, ConstraintValues& values) const {
  const auto motion = Motions(parent, child, with_acceleration);
  int row = 0;
  if (pins_point_) {
    values.position.head<3>() = motion[0].value;
    values.velocity.head<3>() = motion[0].rate;
    values.acceleration.head<3>() = motion[0].acceleration;
    row = 3;
  }
  if (keeps_distance_) {
    const VectorMotion& d = motion[0];
    const double distance = d.value.norm();
    const double rate = d.value.dot(d.rate) / distance;
    values.position[row] = distance - length_;
    values.velocity[row] = rate;
    values.acceleration[row] =
        (d.value.dot(d.acceleration) + d.rate.squaredNorm() - rate * rate) / distance;
    ++row;
  }
  for (const Product& product : products_) {
    const Scalar p = Dot(motion[product.left], motion[product.right]);
    values.position[row] = p.value;
    values.velocity[row] = p.rate;
    values.acceleration[row] = p.acceleration;
    ++row;
  }
  if (driven_) {
    const DriverRow& d = driver_;
    const Scalar p = Dot(motion[d.first.left], motion[d.first.right]);
    const Scalar q = Dot(motion[d.second.left], motion[d.second.right]);
    values.position[row] = d.a * p.value + d.b * q.value - d.c;
    values.velocity[row] =
        d.a * p.rate + d.b * q.rate + d.a_rate * p.value + d.b_rate * q.value - d.c_rate;
    values.acceleration[row] = d.a * p.acceleration + d.b * q.acceleration +
                               2 * (d.a_rate * p.rate + d.b_rate * q.rate) +
                               d.a_acceleration * p.value + d.b_acceleration * q.value;
  }
}

JointConstraints::Covectors JointConstraints::CovectorsOf(
    const std::array<VectorMotion, kMaxVectors>& motion, const ConstraintVector& factors) const {
  Covectors f;
  f.fill(Vector3d::Zero());
  int row = 0;
  if (pins_point_) {
    f[0] = factors.head<3>();
    row = 3;
  }
  if (keeps_distance_) f[0] = factors[row++] * motion[0].value.normalized();
  for (const Product& product : products_) {
    f[product.left] += factors[row] * motion[product.right].value;
    f[product.right] += factors[row] * motion[product.left].value;
    ++row;
  }
  if (driven_) {
    for (auto [product, factor] : {std::pair{driver_.first, driver_.a * factors[row]},
                                   std::pair{driver_.second, driver_.b * factors[row]}}) {
      f[product.left] += factor * motion[product.right].value;
      f[product.right] += factor * motion[product.left].value;
    }
  }
  return f;
}

PairForce JointConstraints::Force(const BodyMotion& parent, const BodyMotion& child,
                                  const ConstraintVector& lambda) const {
  PairForce force;
  const Covectors f = CovectorsOf(Motions(parent, child, false), lambda);
  for (std::size_t k = 0; k < vectors_.size(); ++k)
    AddForce(vectors_[k], parent, child, f[k], force);
  return force;
}

PairGradient JointConstraints::Gradient(const BodyMotion& parent, const BodyMotion& child,
                                        const ConstraintVector& mu) const {
  PairGradient gradient;
  const Covectors f = CovectorsOf(Motions(parent, child, false), mu);
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    AddGradient(vectors_[k], parent, child, f[k], gradient);
  }
  return gradient;
}

void JointConstraints::Differentiate(const BodyMotion& parent, const BodyMotion& child,
                                     const ConstraintVector& lambda, const ConstraintVector& mu,
                                     bool with_acceleration, ConstraintDerivatives& rows,
                                     PairMatrix& force, PairMatrix& gradient) const {
  const auto motion = Motions(parent, child, with_acceleration);
  std::array<VectorDerivatives, kMaxVectors> by_u;
  std::array<PairDerivative, kMaxVectors> force_u, gradient_u;  // of the covectors
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    cartesian::Differentiate(vectors_[k], parent, child, with_acceleration, by_u[k]);
    force_u[k].setZero();
    gradient_u[k].setZero();
  }
  int row = 0;
  if (pins_point_) {
    rows.position.topRows<3>() = by_u[0].value;
    rows.velocity.topRows<3>() = by_u[0].rate;
    rows.acceleration.topRows<3>() = by_u[0].acceleration;
    row = 3;
  }
  if (keeps_distance_) {
    const VectorMotion& d = motion[0];
    const double distance = d.value.norm();
    const Vector3d unit = d.value / distance;
    const double rate = unit.dot(d.rate);
    const double bend = (d.rate.squaredNorm() - rate * rate) / distance;
    const PairDerivative unit_u =
        (by_u[0].value - unit * (unit.transpose() * by_u[0].value)) / distance;
    const PairRow distance_u = unit.transpose() * by_u[0].value;
    const PairRow rate_u = unit.transpose() * by_u[0].rate + d.rate.transpose() * unit_u;
    rows.position.row(row) = distance_u;
    rows.velocity.row(row) = rate_u;
    rows.acceleration.row(row) =
        unit.transpose() * by_u[0].acceleration + d.acceleration.transpose() * unit_u +
        (2 * d.rate.transpose() * by_u[0].rate - 2 * rate * rate_u - bend * distance_u) / distance;
    force_u[0] = lambda[row] * unit_u;
    gradient_u[0] = mu[row] * unit_u;
    ++row;
  }
  for (const Product& product : products_) {
    const VectorDerivatives& a_u = by_u[product.left];
    const VectorDerivatives& b_u = by_u[product.right];
    const ScalarDerivatives p =
        DotDerivatives(motion[product.left], motion[product.right], a_u, b_u, with_acceleration);
    rows.position.row(row) = p.value;
    rows.velocity.row(row) = p.rate;
    if (with_acceleration) rows.acceleration.row(row) = p.acceleration;
    force_u[product.left] += lambda[row] * b_u.value;
    force_u[product.right] += lambda[row] * a_u.value;
    gradient_u[product.left] += mu[row] * b_u.value;
    gradient_u[product.right] += mu[row] * a_u.value;
    ++row;
  }
  if (driven_) {
    const DriverRow& d = driver_;
    const auto derivatives = [&](const Product& product) {
      return DotDerivatives(motion[product.left], motion[product.right], by_u[product.left],
                            by_u[product.right], with_acceleration);
    };
    const ScalarDerivatives p = derivatives(d.first), q = derivatives(d.second);
    rows.position.row(row) = d.a * p.value + d.b * q.value;
    rows.velocity.row(row) = d.a * p.rate + d.b * q.rate + d.a_rate * p.value + d.b_rate * q.value;
    if (with_acceleration) {
      rows.acceleration.row(row) = d.a * p.acceleration + d.b * q.acceleration +
                                   2 * (d.a_rate * p.rate + d.b_rate * q.rate) +
                                   d.a_acceleration * p.value + d.b_acceleration * q.value;
    }
    for (auto [product, factor] : {std::pair{d.first, d.a}, std::pair{d.second, d.b}}) {
      force_u[product.left] += factor * lambda[row] * by_u[product.right].value;
      force_u[product.right] += factor * lambda[row] * by_u[product.left].value;
      gradient_u[product.left] += factor * mu[row] * by_u[product.right].value;
      gradient_u[product.right] += factor * mu[row] * by_u[product.left].value;
    }
  }
  const Covectors f = CovectorsOf(motion, lambda), h = CovectorsOf(motion, mu);
  force.setZero();
  gradient.setZero();
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    AddForceDerivative(vectors_[k], parent, child, by_u[k], f[k], force_u[k], force);
    AddGradientDerivative(vectors_[k], by_u[k], h[k], gradient_u[k], gradient);
  }
}

}  // namespace mbsbench::cartesian
