// Matrices over the constraints of a system in absolute coordinates: positions of the entries of G,
// their units, and the rows that are left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "methods/kinematics/absolute_constraints.h"

namespace mbsbench::absolute {

// G in the rates of reach.h, 0 in the columns of the ground.
ConstraintJacobian ScaledRows(const JointConstraints& joint, std::span<const BodyMotion> bodies,
                              std::span<const double> reach);

// Visits the entries of [ 0 -G'; G 0 ] that belong to one joint whose rows begin at `at`, in one
// fixed order: visit(row, column, value).
template <typename Visit>
void VisitRows(const JointConstraints& joint, int at, const ConstraintJacobian& g, Visit&& visit) {
  for (const auto& [body, first] :
       {std::pair{joint.parent(), 0}, std::pair{joint.child(), kRates}}) {
    if (body == kGround) continue;
    for (int i = 0; i < joint.size(); ++i) {
      for (int j = 0; j < kRates; ++j) {
        const double value = g(i, first + j);
        visit(at + i, kRates * body + j, value);
        visit(kRates * body + j, at + i, -value);
      }
    }
  }
}

// Rows of a joint that are left out because others imply them: bit i for row i.
using RowSet = std::uint8_t;
inline bool Holds(RowSet rows, int i) { return (rows >> i & 1) != 0; }

}  // namespace mbsbench::absolute
