// Statics of a mechanism at rest, by algebra that no method and no reference shares: with the wrenches
// of the joints' unit multipliers as columns,
//   E lambda = M a - f,   E = A B,   rank E by singular values, N = null(E),
// a component k of a joint's wrench is unique exactly where row k of B N vanishes (Wojtyra 2005).
#pragma once

#include <Eigen/Dense>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

struct JointStatics {
  Eigen::MatrixXd
      on_bodies;  // A: wrenches of the joints, about their points, to those on the bodies
  Eigen::MatrixXd wrenches;    // B: multipliers to wrenches of the joints, six rows each
  Eigen::MatrixXd null_space;  // N
  int rank = 0;
  double gap = 0;  // the least singular value that counts over the largest that does not

  // Wrenches with the effect of `solutions` (columns of wrenches of the joints) and the least sums of squares,
  // moments counting `moment_factor` times.
  Eigen::MatrixXd Least(const Eigen::MatrixXd& solutions, double moment_factor) const;
};

// Reactions in the order tree joints, loop joints; wrenches of bodies about their mass centres; force,
// then moment, inertial axes. Lengths of about one metre; joints are balls, revolutes, prismatic ones
// and distances.
JointStatics StaticsOf(const System& system, const SystemState& state);

// M a - f at rest with gravity and spring-dampers between bodies: the loads that the joints must exert.
Eigen::VectorXd JointLoads(const System& system, const SystemState& state,
                           const Eigen::VectorXd& accelerations);

}  // namespace mbsbench
