// The constraints g of one joint, and everything that their equations need of them.
//
//   ball       d = 0
//   revolute   d = 0, x_p.z_c = y_p.z_c = 0
//   universal  d = 0, z_p.x_c = 0
//   fixed      d = 0, x_p.z_c = y_p.z_c = y_p.x_c = 0
//   prismatic  d.x_p = d.y_p = 0, the three directions of fixed
//   distance   |d| - length = 0
//   free       none
//   driven     besides, as its last row and rheonomic, with the coordinate phi(t) = phi_0 + speed t:
//              revolute   cos(phi) y_p.x_c - sin(phi) x_p.x_c = 0
//              prismatic  d.z_p - phi = 0
//
// d: from the parent frame's origin to the child frame's; x, y, z: axes of the joint frames.
// Every row is a component of a pair vector, a product of two of them, or a length. With g'' = G w'
// + gamma (w = v, omega) the rates of a product A.B are A'.B + A.B' and A''.B + 2 A'.B' + A.B''.
#pragma once

#include <array>
#include <vector>

#include "methods/cartesian_dae/pair_vector.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

using ConstraintVector = Eigen::Matrix<double, kMaxConstraints, 1>;
using ConstraintDerivative = Eigen::Matrix<double, kMaxConstraints, kPairSize>;

// g, its first rate G w, and its second rate.
struct ConstraintValues {
  ConstraintVector position, velocity, acceleration;
};

// Derivatives by (r, q, v, omega) of the pair; the one of `velocity` by (v, omega) is G.
struct ConstraintDerivatives {
  ConstraintDerivative position, velocity, acceleration;
};

class JointConstraints {
 public:
  explicit JointConstraints(const Joint& joint);

  int size() const { return size_; }

  // Adds the row of a driver that holds the rate of the joint, the same as was constructed from (a
  // revolute or prismatic one), and the vectors that it needs: joints without drivers pay nothing for
  // them. StartDriver gives the coordinate at time 0, SetTime the instant of all that follows.
  void AddDriver(const Joint& joint, double speed);
  void StartDriver(double coordinate);
  void SetTime(double t);
  // Multipliers of the joint alone, without what its driver exerts.
  ConstraintVector WithoutDriver(ConstraintVector lambda) const {
    if (driven_) lambda[size_ - 1] = 0;
    return lambda;
  }
  // Rate of the energy that the driver supplies: the multiplier of its row is the moment or force
  // along the axis.
  double DriverPower(const ConstraintVector& lambda) const {
    return driven_ ? lambda[size_ - 1] * speed_ : 0;
  }

  void Evaluate(const BodyMotion& parent, const BodyMotion& child, bool with_acceleration,
                ConstraintValues& values) const;

  // G' lambda, and G_r' mu, G_q' mu.
  PairForce Force(const BodyMotion& parent, const BodyMotion& child,
                  const ConstraintVector& lambda) const;
  PairGradient Gradient(const BodyMotion& parent, const BodyMotion& child,
                        const ConstraintVector& mu) const;

  // Derivatives of the rows, and of the two products with the multipliers held fixed.
  void Differentiate(const BodyMotion& parent, const BodyMotion& child,
                     const ConstraintVector& lambda, const ConstraintVector& mu,
                     bool with_acceleration, ConstraintDerivatives& rows, PairMatrix& force,
                     PairMatrix& gradient) const;

 private:
  // Index of a new vector: an axis of the joint's frame on the parent (reversed) or on the child.
  std::size_t AddAxisOnParent(const Joint& joint, int axis);
  std::size_t AddAxisOnChild(const Joint& joint, int axis);

  static constexpr std::size_t kMaxVectors = 6;
  struct Product {
    std::size_t left, right;
  };
  // A row a(t) P_1 + b(t) P_2 - c(t) of two products, and the factors' rates.
  struct DriverRow {
    Product first{0, 0}, second{0, 0};
    double a = 0, b = 0, c = 0;
    double a_rate = 0, b_rate = 0, c_rate = 0;
    double a_acceleration = 0, b_acceleration = 0;
  };
  // Covectors on the vectors: what a combination of the rows by `factors` pulls at.
  using Covectors = std::array<Vector3d, kMaxVectors>;
  Covectors CovectorsOf(const std::array<VectorMotion, kMaxVectors>& motion,
                        const ConstraintVector& factors) const;
  std::array<VectorMotion, kMaxVectors> Motions(const BodyMotion& parent, const BodyMotion& child,
                                                bool with_acceleration) const;

  // The rows in their order: three components of vector 0 where `pins_point_`, one length where
  // `keeps_distance_`, then products.
  std::vector<PairVector> vectors_;
  bool pins_point_ = false, keeps_distance_ = false;
  double length_ = 0;
  std::vector<Product> products_;
  int size_ = 0;

  bool driven_ = false, turns_ = false;
  double start_ = 0, speed_ = 0;
  DriverRow driver_;
};

}  // namespace mbsbench::cartesian
