// The bodies in absolute coordinates at one instant, and what every variant asks of them: forces,
// accelerations with multipliers, the way back onto the constraints, and what is told outside.
#pragma once

#include <vector>

#include "methods/cartesian_dae/acceleration_solver.h"
#include "methods/cartesian_dae/force_derivatives.h"
#include "methods/cartesian_dae/redundant_rows.h"
#include "methods/interface/observation.h"
#include "methods/kinematics/followed_angles.h"
#include "methods/kinematics/force_elements.h"
#include "problems/model/state.h"

namespace mbsbench::cartesian {

// r, q, v, omega at `at`, in the layout of body_motion.h; accelerations are left.
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
  const std::vector<JointLink>& links() const { return links_; }  // tree joints, then loop joints
  const std::vector<JointSpring>& joint_springs() const { return joint_springs_; }
  const Matrix3d& inertia(std::size_t body) const { return inertia_[body]; }

  std::vector<BodyMotion>& bodies() { return bodies_; }
  const std::vector<BodyMotion>& bodies() const { return bodies_; }
  const BodyMotion& Motion(int body) const {
    return body == kGround ? ground_ : bodies_[static_cast<std::size_t>(body)];
  }

  // The motion of a consistent state, where the drivers start, the turns of springs are counted from,
  // and redundant rows are selected.
  void Start(double t, const SystemState& state);
  // Puts the drivers where they are at t.
  void SetTime(double t);

  // Applied forces, gravity and springs at bodies() and the time that was set.
  void EvaluateForces();
  const std::vector<BodyForce>& forces() const { return forces_; }

  // Forces, then accelerations of bodies() and multipliers.
  Status Accelerate(Pivots pivots = Pivots::kKept);
  const std::vector<ConstraintVector>& lambda() const { return lambda_; }
  // Rows that others imply, per link.
  std::span<const RowSet> left_out() const { return redundant_.left_out(); }

  // Moves positions, then velocities onto the constraints by the smallest step in the metric of the
  // masses.
  Status Project();

  // With quaternions normalised.
  Status Observe(Detail detail, Observation& observation);
  double Power();

 private:
  void UpdateBodyStates();
  // Largest row of g, or of g' where `rates`, written to residual_.
  double Residual(bool rates);
  // Newton's steps with the matrix factorised last; the largest row that is left.
  double Correct(bool rates);

  const System system_;
  const BodyMotion ground_ = BodyMotion::Ground();
  std::vector<Matrix3d> inertia_;
  std::vector<JointLink> links_;
  std::vector<JointSpring> joint_springs_;
  FollowedAngles spring_angles_;  // one per joint spring
  double time_ = 0;
  AccelerationSolver accelerations_;
  RedundantRows redundant_;

  std::vector<BodyMotion> bodies_;
  std::vector<ConstraintVector> lambda_, residual_;
  std::vector<BodyForce> forces_;
  std::vector<RateChange> change_;
  std::vector<BodyState> body_states_;
  std::vector<Wrench> wrenches_;
};

}  // namespace mbsbench::cartesian
