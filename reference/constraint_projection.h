// Moves states that have drifted onto the joints, by the least mass-weighted change.
#pragma once

#include <memory>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

class ConstraintProjection {
 public:
  // For any system that does not grow.
  explicit ConstraintProjection(const Problem& problem);
  ~ConstraintProjection();
  ConstraintProjection& operator=(ConstraintProjection&&) noexcept;

  // States of all bodies, in the order of time: the kept loop rows are those that were independent at the previous
  // state. Computed in 113 bits, until positions and velocities have no residual. Throws ModelError if the state
  // is too far from the joints.
  std::vector<BodyState> Project(double time, const std::vector<BodyState>& bodies);

 private:
  struct Equations;
  std::unique_ptr<Equations> equations_;
};

}  // namespace mbsbench
