// Accelerations and multipliers of a state: the index-1 form of the equations of motion.
//
//   [ M  -G' ] [ w'     ]   [ Q - (0, omega x J omega) ]     w = (v, omega) of all bodies,
//   [ G   0  ] [ lambda ] = [ -gamma                   ]     omega in body axes; G w' + gamma = g''
//
// A row that is left out because others imply it (redundant_rows.h) reads lambda = 0 instead.
//
// Regular when the constraints kept are independent and every motion that they allow has inertia. Its
// null vectors have either multipliers only (redundant constraints) or accelerations only (motion
// without inertia), so the vanishing pivot names the joint or the body.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "methods/cartesian_dae/constraint_jacobian.h"
#include "methods/cartesian_dae/joint_link.h"
#include "methods/cartesian_dae/sparse_lu.h"
#include "methods/cartesian_dae/sparse_pattern.h"
#include "methods/interface/status.h"

namespace mbsbench::cartesian {

struct BodyForce {
  Vector3d force;   // at the mass centre, inertial axes
  Vector3d moment;  // about it, body axes
};

// A small motion of a body, or a change of its velocities.
struct RateChange {
  Vector3d velocity;          // inertial axes
  Vector3d angular_velocity;  // body axes
};

class AccelerationSolver {
 public:
  // `links` must outlive this object.
  AccelerationSolver(const System& system, const std::vector<JointLink>& links);

  // The matrix at the positions of `bodies`. `left_out`: rows per link.
  Status Factorise(std::span<const RowSet> left_out, std::span<const BodyMotion> bodies,
                   Pivots pivots);

  // The rest by the matrix factorised last.

  // Writes v' and omega' into `bodies` and the multipliers of all links into `lambda`.
  void Solve(std::span<const BodyForce> forces, std::span<const RowSet> left_out,
             std::span<BodyMotion> bodies, std::span<ConstraintVector> lambda);
  // The smallest change in the metric M that takes `residual` away: G x = -residual.
  void Correction(std::span<const ConstraintVector> residual, std::span<const RowSet> left_out,
                  std::span<RateChange> change);

 private:
  Eigen::Map<Vector3d> Segment(int at) { return Eigen::Map<Vector3d>(right_side_.data() + at); }
  bool IsLoop(std::size_t link) const { return link >= tree_links_; }

  const std::vector<JointLink>& links_;
  std::size_t tree_links_;
  std::vector<double> mass_;
  std::vector<Matrix3d> inertia_;
  std::vector<int> link_at_;  // first row of each link
  CompressedPattern matrix_;
  std::vector<double> values_, right_side_;
  std::unique_ptr<SparseLu> lu_;
};

}  // namespace mbsbench::cartesian
