// The bodies in absolute coordinates at one instant, and what every variant asks of them: forces,
// accelerations with multipliers, the way back onto the constraints, and what is told outside.
#pragma once

#include <vector>

#include "methods/interface/observation.h"
#include "methods/kinematics/absolute_constraints.h"
#include "methods/kinematics/absolute_forces.h"
#include "methods/numerics/acceleration_solver.h"
#include "methods/numerics/redundant_rows.h"
#include "problems/model/state.h"

namespace mbsbench::absolute {

// Layout of one body's unknowns (and, row by row, of its equations): r, q, v, omega, and eta in
// variants that have it.
inline constexpr int kPosition = 0, kQuaternion = 3, kVelocity = 7, kAngularVelocity = 10,
                     kEta = 13;
inline constexpr int kMotionSize = 13;  // without eta

// r, q, v, omega at `at`; accelerations are left.
void ReadMotion(const double* at, BodyMotion& body);
void WriteMotion(const BodyMotion& body, double* at);
// Their rates: v, 1/2 q * omega, v', omega'.
void WriteRates(const BodyMotion& body, double* at);

class BodyDynamics {
 public:
  explicit BodyDynamics(const System& system);
  BodyDynamics(const BodyDynamics&) = delete;  // parts refer to each other
  BodyDynamics& operator=(const BodyDynamics&) = delete;

  const System& system() const { return system_; }
  const AbsoluteConstraints& constraints() const { return constraints_; }
  const AbsoluteForces& force_elements() const { return force_elements_; }
  const Matrix3d& inertia(std::size_t body) const { return inertia_[body]; }

  std::vector<BodyMotion>& bodies() { return bodies_; }
  const std::vector<BodyMotion>& bodies() const { return bodies_; }
  const BodyMotion& Motion(int body) const { return MotionOf(bodies_, body); }

  // The motion of a consistent state, where the drivers start, the turns of springs are counted from,
  // and redundant rows are selected. Fails where rows of loops are nearly dependent.
  Status Start(double t, const SystemState& state);
  // Puts the drivers where they are at t.
  void SetTime(double t);
  // The time and the bodies' r, q, v, omega, body after body, from and to y.
  void Load(double t, std::span<const double> y);
  void Store(std::span<double> y) const;

  // Q at bodies() and the time that was set, without the gyroscopic moments.
  void EvaluateForces() { force_elements_.Evaluate(time_, bodies_, forces_); }
  const std::vector<BodyVector>& forces() const { return forces_; }

  // Forces, then accelerations of bodies() and multipliers.
  Status Accelerate(Pivots pivots = Pivots::kKept);
  const std::vector<ConstraintVector>& lambda() const { return lambda_; }
  // Of the factorisation and the solution in Accelerate, after it.
  OperationCount CountFactors() { return accelerations_.CountOperations(); }
  // Rows that others imply, per joint.
  std::span<const RowSet> left_out() const { return redundant_.left_out(); }
  bool leaves_rows_out() const { return redundant_.any(); }
  // The matrix of accelerations at bodies(). Where the rows kept come to depend on one another, others
  // are kept in their place.
  Status FactoriseIndependentRows();

  // Moves positions, then velocities onto the constraints by the smallest step in the metric of the
  // masses. The rows that are kept may change only where `chooses_rows`.
  Status Project(bool chooses_rows);

  // With quaternions normalised.
  Status Observe(Detail detail, Observation& observation);
  double Power();

 private:
  Status Factorise(Pivots pivots);
  // Largest row of g, or of g' where `rates`, written to residual_.
  double Residual(bool rates);
  // Newton's steps with the matrix factorised last; the largest row that is left.
  double Correct(bool rates);

  const System system_;
  std::vector<Matrix3d> inertia_;
  AbsoluteConstraints constraints_;
  AbsoluteForces force_elements_;
  double time_ = 0;
  AccelerationSolver accelerations_;
  RedundantRows redundant_;
  double best_pivot_ = 0;  // since rows were selected

  std::vector<BodyMotion> bodies_;
  std::vector<ConstraintVector> lambda_, residual_;
  std::vector<BodyVector> forces_, change_;
};

}  // namespace mbsbench::absolute
