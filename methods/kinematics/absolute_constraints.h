// Joints as constraints g = 0 between bodies in absolute coordinates, with their derivatives.
//
// The rows are those of blocked_rows.h, the components of d along inertial axes. A driven joint has
// one more, its last, which prescribes its coordinate phi(t):
//   revolute   cos(phi) y_p.x_c - sin(phi) x_p.x_c = 0
//   prismatic  d.z_p - phi = 0
//
// Every row is a component of a pair vector, a length, or a sum of products of two vectors; in the
// driver's row these have time-dependent factors. With g'' = G V' + gamma the rates of a product A.B
// are A'.B + A.B' and A''.B + 2 A'.B' + A.B''. constraint_equations.h of cartesian_dae has the rows and
// their derivatives as printed, in the steps (a) to (h) that the source names.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "methods/interface/observation.h"
#include "methods/kinematics/pair_vector.h"

namespace mbsbench::absolute {

inline constexpr int kMostRows = 6;
using ConstraintVector = Eigen::Matrix<double, kMostRows, 1>;
// Columns as in PairRow. Only the first size() rows of these and of vectors are used.
using ConstraintJacobian = Eigen::Matrix<double, kMostRows, kPair>;

// g, its first rate G V + g_t, and its second rate.
struct ConstraintValues {
  ConstraintVector position, velocity, acceleration;
};

struct ConstraintDerivatives {
  ConstraintJacobian rows;                    // G
  ConstraintJacobian velocity;                // of g' by positions
  ConstraintJacobian acceleration, by_rates;  // of g'' by positions and by rates, at fixed V'
};

class JointConstraints {
 public:
  explicit JointConstraints(const Joint& joint);

  int size() const { return size_; }
  int parent() const { return parent_; }  // body or kGround
  int child() const { return child_; }
  // Whether row i is a length (else a product of unit vectors, without dimension).
  bool IsLength(int i) const { return i < lengths_ || (driven_ && !turns_ && i + 1 == size_); }

  // Adds the row of a driver to this joint, which is revolute or prismatic.
  void AddDriver(const Joint& joint);
  // Sets the driven coordinate and its rates for the following evaluations.
  void Drive(double coordinate, double rate, double acceleration);
  // Multipliers of the joint alone, without the effort of its driver.
  ConstraintVector WithoutDriver(ConstraintVector lambda) const {
    if (driven_) lambda[size_ - 1] = 0;
    return lambda;
  }
  // Multiplier of the driver's row: its moment or force along the axis. 0 without driver.
  double DriverEffort(const ConstraintVector& lambda) const {
    return driven_ ? lambda[size_ - 1] : 0;
  }

  void Evaluate(const BodyMotion& parent, const BodyMotion& child, bool with_acceleration,
                ConstraintValues& values) const;

  // G; multipliers act on the bodies as G' lambda.
  ConstraintJacobian Jacobian(const BodyMotion& parent, const BodyMotion& child) const;

  // The derivatives of g'' only if `with_acceleration`.
  void Differentiate(const BodyMotion& parent, const BodyMotion& child, bool with_acceleration,
                     ConstraintDerivatives& derivatives) const;
  // Derivative of G' lambda by the positions.
  PairMatrix DifferentiateForce(const BodyMotion& parent, const BodyMotion& child,
                                const ConstraintVector& lambda) const;

 private:
  static constexpr std::size_t kMostVectors = 6;
  // A product of two vectors that is part of a row, and its factor with its rates.
  struct Product {
    int row;
    std::size_t left, right;
    double factor = 1, rate = 0, acceleration = 0;
  };
  template <class Item>
  using PerVector = std::array<Item, kMostVectors>;

  // Index of a vector: an axis of the joint's frame on the parent or on the child.
  std::size_t AxisOnParent(const Joint& joint, int axis);
  std::size_t AxisOnChild(const Joint& joint, int axis);
  std::size_t IndexOf(const PairVector& vector);
  PerVector<VectorMotion> Motions(const BodyMotion& parent, const BodyMotion& child,
                                  bool with_acceleration) const;

  // The rows in their order: three components of vector 0 if `pins_point_`, one length if
  // `keeps_distance_`, then products.
  std::vector<PairVector> vectors_;
  bool pins_point_ = false, keeps_distance_ = false;
  double length_ = 0;
  int lengths_ = 0;  // the first rows
  std::vector<Product> products_;
  int size_ = 0;
  int parent_, child_;

  bool driven_ = false, turns_ = false;
  double driven_to_ = 0, driven_rate_ = 0, driven_acceleration_ = 0;  // prismatic: less d.z_p
};

// The constraints of all joints of a system, tree joints before loop joints.
class AbsoluteConstraints {
 public:
  // `system` must outlive this object.
  explicit AbsoluteConstraints(const System& system);

  std::size_t size() const { return joints_.size(); }
  std::size_t tree_joints() const { return tree_joints_; }
  bool IsLoop(std::size_t joint) const { return joint >= tree_joints_; }
  const JointConstraints& operator[](std::size_t joint) const { return joints_[joint]; }
  std::span<const JointConstraints> joints() const { return joints_; }

  // A constant rate starts at the coordinate that the state has at time t.
  void Start(double t, const JointState& state);
  // Sets the drivers to the time t.
  void SetTime(double t);
  // All drivers at the time that was set.
  std::vector<DriverObservation> Drivers(std::span<const ConstraintVector> lambda) const;

 private:
  const System& system_;
  std::size_t tree_joints_;
  std::vector<JointConstraints> joints_;
  struct Driven {
    double offset = 0;  // offset of the coordinate from its motion: the start of a constant rate
    MovedCoordinate<double> now;
  };
  std::vector<Driven> driven_;  // per driver
};

}  // namespace mbsbench::absolute
