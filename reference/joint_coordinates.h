// A second formulation, independent of the maximal coordinates: Kane's equations in the coordinates
// and rates of the tree joints. Dense, cubic in the degrees of freedom; certifies small trees.
//
//   v_b = sum_i V_bi u_i,  omega_b = sum_i W_bi u_i         partial velocities of all bodies
//   M u' = Q,  M_ij = sum_b m V_bi . V_bj + W_bi . J W_bj,  Q_i = sum_b V_bi . (f - m a0) + W_bi .
//   (n - J alpha0 - omega x J omega)
//
// a0, alpha0: accelerations with u' = 0. f, n: all forces; joint springs act as forces on the
// bodies.
#pragma once

#include <vector>

#include "reference/extended_system.h"
#include "reference/initial_motion.h"

namespace mbsbench::extended {

class JointCoordinates {
 public:
  explicit JointCoordinates(const System& system);

  // Packed state: q, then u.
  std::vector<Real> Start(const JointState& joints) const;
  void Evaluate(const std::vector<Real>& y, std::vector<Real>& ydot) const;
  Motion MotionAt(const std::vector<Real>& y) const;
  void Normalise(std::vector<Real>& y) const;  // the quaternions among q
  std::size_t rates() const { return static_cast<std::size_t>(at_.u.back()); }

 private:
  SystemData system_;
  JointOffsets at_;
};

}  // namespace mbsbench::extended
