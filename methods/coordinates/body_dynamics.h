// The bodies in absolute coordinates at one instant, with the computations that all variants share:
// forces, accelerations with multipliers, the projection onto the constraints, and observations.
#pragma once

#include <span>
#include <vector>

#include "methods/coordinates/acceleration_solver.h"
#include "methods/interface/formulation.h"
#include "methods/interface/observation.h"
#include "methods/kinematics/absolute_constraints.h"
#include "methods/kinematics/absolute_forces.h"
#include "methods/loops/redundant_rows.h"
#include "problems/model/state.h"

namespace mbsbench::absolute {

// Layout of one body's unknowns (and, row by row, of its equations): r, q, v, omega, and eta in
// variants that have it.
inline constexpr int kPosition = 0, kQuaternion = 3, kVelocity = 7, kAngularVelocity = 10,
                     kEta = 13;
inline constexpr int kMotionSize = 13;  // without eta

// Reads r, q, v, omega at `at`; accelerations do not change.
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

  // Sets the motion of a consistent state, from which drivers start and full turns of springs are
  // counted, and selects redundant rows there. Fails if rows of loops are nearly dependent. A state that closes loops to their stated
  // precision is moved to where the kept rows close to round-off.
  Status Start(double t, const SystemState& state);
  // Sets the drivers to the time t.
  void SetTime(double t);
  double time() const { return time_; }
  // The time and the bodies' r, q, v, omega, body after body, from and to y.
  void Load(double t, std::span<const double> y);
  void Store(std::span<double> y) const;
  // Their rates, after Accelerate.
  void StoreRates(std::span<double> ydot) const;
  // The dimensions of these entries of y.
  std::vector<Dimension> Dimensions() const;

  // Q at bodies() and the time that was set, without the gyroscopic moments.
  void EvaluateForces() { force_elements_.Evaluate(time_, bodies_, forces_); }
  const std::vector<BodyVector>& forces() const { return forces_; }

  // Forces, then accelerations of bodies() and multipliers.
  Status Accelerate(Pivots pivots = Pivots::kKept);
  const std::vector<ConstraintVector>& lambda() const { return lambda_; }
  // Multipliers, joint after joint.
  void LoadMultipliers(std::span<const double> lambda);
  void StoreMultipliers(std::span<double> lambda) const;
  // Adds G' lambda to forces().
  void AddReactions();
  // Operations of the factorisation and the solution in Accelerate, after it.
  OperationCount CountFactors() { return accelerations_.CountOperations(); }
  // Converts a row of a joint into a length.
  double RowScale(std::size_t joint, int row) const { return accelerations_.RowScale(joint, row); }
  // The redundant rows of each joint.
  std::span<const RowSet> left_out() const { return redundant_.left_out(); }
  bool leaves_rows_out() const { return redundant_.any(); }
  // Leaves out the same number of rows, selected at bodies().
  void SelectRowsAnew() { redundant_.SelectAnew(bodies_); }
  // Factorises the matrix of accelerations at bodies(). If the kept rows become dependent, others are
  // kept instead.
  Status FactoriseIndependentRows();

  // Moves positions, then velocities onto the constraints by the smallest step in the metric of the
  // masses. The kept rows may change only if `chooses_rows`.
  Status Project(bool chooses_rows);

  // The joint whose constraints the velocities violate the most, or -1: round-off. `speed`: a natural one [m/s].
  int Slipping(double speed) const;

  // With quaternions normalised.
  Status Observe(Detail detail, Observation& observation);
  // Its parts, for methods with equations of their own. The second takes the accelerations of bodies() and forces().
  Status ObserveMotion(Observation& observation);
  Status ObserveAccelerations(Observation& observation) const;
  // By lambda() at bodies(), with what the rows that are left out leave undetermined.
  std::vector<JointReaction> Reactions();
  JointReaction ReactionOf(std::size_t joint, const ConstraintVector& lambda) const;
  // Marks what the rows that are left out leave undetermined.
  void MarkUndetermined(std::span<JointReaction> reactions);
  double Power();

 private:
  Status Factorise(Pivots pivots);
  std::vector<JointReaction> ReactionsOf(std::span<const ConstraintVector> lambda) const;
  // Largest row of g, or of g' if `rates`; the rows are written to residual_.
  double Residual(bool rates);
  // Newton's steps with the matrix factorised last; returns the largest remaining row.
  double Correct(bool rates);
  // Positions, then velocities.
  Status CorrectBoth();

  const System system_;
  std::vector<Matrix3d> inertia_;
  AbsoluteConstraints constraints_;
  AbsoluteForces force_elements_;
  double time_ = 0;
  AccelerationSolver accelerations_;
  RedundantRows redundant_;
  double best_pivot_ = 0;  // since rows were selected
  // In which gaps of joints are compared with products of directions [m].
  const double unit_of_lengths_;

  std::vector<BodyMotion> bodies_;
  std::vector<ConstraintVector> lambda_, residual_;
  std::vector<BodyVector> forces_, change_;
};

}  // namespace mbsbench::absolute
