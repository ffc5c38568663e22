// Loop joints as cuts: the coordinates of the child's joint frame relative to the parent's that must
// remain zero, and their rates by the chain rule through the tree.
//
//   displacements   t = R_P' d / L, d from the origin of P to that of C: all three, or x and y where C slides
//   distance        (|d| - length) / L
//   turns           2 x, 2 y, 2 z of the quaternion C -> P, one per rotation that the joint blocks; for a universal joint z_P . x_C = 2 (x z - w y)
//
// dc/dt = L u,  d2c/dt2 = L u' + bias. Only rates on one side of the cut have entries in L.
#pragma once

#include <vector>

#include "reference/joint_coordinates/joint_motion.h"
#include "reference/numerics/dense.h"

namespace mbsbench::extended {

class CutJoints {
 public:
  // `length`: L [m].
  CutJoints(const SystemData& system, Real length);
  std::size_t rows() const { return rows_; }

  struct Coordinates {
    std::vector<Real> values;
    Matrix rates;  // L, rows by all rates
  };
  Coordinates At(const JointMotion& motion) const;
  // How far the data let each row close, (3) of independent_rows.h.
  std::vector<Real> KnownTo(const JointMotion& motion) const;
  // Second rates of the coordinates with the accelerations that the motion has.
  std::vector<Real> SecondRates(const JointMotion& motion) const;

  // Force on the child at the origin of its joint frame, and moment, from the multipliers of all
  // rows.
  struct Reaction {
    Vec3 point, force, moment;
  };
  std::vector<Reaction> Reactions(const JointMotion& motion,
                                  const std::vector<Real>& multipliers) const;

 private:
  const SystemData* system_;
  Real length_;
  std::size_t rows_ = 0;
};

}  // namespace mbsbench::extended
