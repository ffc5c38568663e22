// The equations of maximal_coordinates.h, including the rows of all loops, factorised in double precision as sparse
// equations, for iterative refinement: residuals are computed in 113 bits elsewhere.
#pragma once

#include <memory>
#include <vector>

#include "reference/system/constraints.h"
#include "reference/system/extended_system.h"

namespace mbsbench::extended {

class SparseEquations {
 public:
  // `inertias` in inertial axes.
  SparseEquations(const SystemData& system, const std::vector<Mat3>& inertias,
                  const std::vector<JointRows>& joints, const std::vector<JointRows>& loop_joints);
  ~SparseEquations();

  // False if they are singular to round-off.
  bool Factorise();
  // Right sides in, solution out: accelerations, multipliers of joints and of loop joints.
  void Solve(std::vector<Vec6>& bodies, std::vector<Vec6>& joints,
             std::vector<Vec6>& loop_joints) const;

 private:
  struct Factors;

  std::vector<std::size_t> rows_;  // of the joints, then of the loop joints
  std::unique_ptr<Factors> factors_;
};

}  // namespace mbsbench::extended
