// The matrix of the equations of motion in absolute coordinates, [ M -G'; G 0 ], and its like: the entries of a body and of a joint,
// their units, the rows that are left out, and what a vanishing pivot means. Who needs more in a block (implicit steps, natural
// coordinates, multipliers alone) writes it where its equations stand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "methods/interface/status.h"
#include "methods/kinematics/absolute_constraints.h"

namespace mbsbench::absolute {

// G in the rates of reach.h, 0 in the columns of the ground.
ConstraintJacobian ScaledRows(const JointConstraints& joint, std::span<const BodyMotion> bodies,
                              std::span<const double> reach);

// Rows of a joint that are left out because others imply them: bit i for row i.
using RowSet = std::uint8_t;
inline bool Holds(RowSet rows, int i) { return (rows >> i & 1) != 0; }

// Visits the entries of M of a body whose rates begin at `at`, in one fixed order: visit(row, column, value).
template <typename Visit>
void VisitBody(int at, double mass, const Matrix3d& inertia, Visit&& visit) {
  for (int i = 0; i < 3; ++i) visit(at + i, at + i, mass);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) visit(at + 3 + i, at + 3 + j, inertia(i, j));
  }
}

// Visits the entries of [ 0 -U'; L 0 ] that belong to one joint whose rows begin at `at`, in one fixed order. Entries of L in rows
// that are left out are 0.
template <typename Visit>
void VisitRows(const JointConstraints& joint, int at, const ConstraintJacobian& upper,
               const ConstraintJacobian& lower, RowSet left_out, Visit&& visit) {
  for (const auto& [body, first] :
       {std::pair{joint.parent(), 0}, std::pair{joint.child(), kRates}}) {
    if (body == kGround) continue;
    for (int i = 0; i < joint.size(); ++i) {
      for (int j = 0; j < kRates; ++j) {
        visit(at + i, kRates * body + j, Holds(left_out, i) ? 0 : lower(i, first + j));
        visit(kRates * body + j, at + i, -upper(i, first + j));
      }
    }
  }
}
// As U and L, G.
template <typename Visit>
void VisitRows(const JointConstraints& joint, int at, const ConstraintJacobian& g, Visit&& visit) {
  VisitRows(joint, at, g, g, RowSet{0}, visit);
}

// A pivot vanishes in the rates of a body, or in `column` of the rows of the joints, which begin at `rows_at`.
Status SingularBody(int body);
Status SingularRows(int column, std::span<const int> rows_at);
// One of these, where `per_body` columns of each body come first.
Status SingularAt(int column, std::span<const int> rows_at, int per_body = kRates);

}  // namespace mbsbench::absolute
