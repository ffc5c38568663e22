// Moves states that have drifted onto the joints, by the least mass-weighted change.
#pragma once

#include <memory>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

class ConstraintProjection {
 public:
  // Of any system but a growing one.
  explicit ConstraintProjection(const Problem& problem);
  ~ConstraintProjection();
  ConstraintProjection& operator=(ConstraintProjection&&) noexcept;

  // States of all bodies, in the order of time: of redundant loop rows those are kept that were independent at the
  // state before. In 113 bits, until no residual is left of positions and velocities. Throws ModelError where the
  // state is too far from the joints.
  std::vector<BodyState> Project(double time, const std::vector<BodyState>& bodies);

 private:
  struct Equations;
  std::unique_ptr<Equations> equations_;
};

}  // namespace mbsbench
