// The independent rows of loop joints, by geometry alone: masses do not matter.
//
// A row r over the free rates u of the tree joints is J_r u, J_r = g_r V, with the motions V of the joint's two
// bodies by the rates. Rows that are lengths are divided by the length of their loop, and translations are
// multiplied by that of the longest loop; then rows are normalised. In terms of the rows kept so far,
//
//   J_r = sum_k w_k J_k + rho                                                                   (1)
//
// rho is the remainder of row r. The data are doubles, so each entry of J is known to e = kappa 2^-53 of
// its terms, and rho to
//
//   |rho| ~ | e_r + sum_k |w_k| e_k |                                                           (2)
//
// A row counts if its remainder exceeds that. Where the system states that its frames are less exact (System::loop_precision),
// e is a hundred times this precision instead. Likewise the value of a row is known to d = n kappa 2^-53 of the lengths
// around its loop, or of 1 if it is a product of directions: the frames of each of the n joints around the loop turn by
// their rounding. While the kept rows are closed, a dropped row r may therefore be open by
//
//   d_r + sum_k |w_k| d_k                                                                       (3)
#pragma once

#include <vector>

#include "reference/system/constraints.h"
#include "reference/system/extended_system.h"

namespace mbsbench::extended {

struct LoopRow {
  std::size_t joint, row;
  bool operator==(const LoopRow&) const = default;
};

struct IndependentRows {
  std::vector<LoopRow> rows;  // in the order of the joints
  struct Dropped {
    LoopRow at;
    Real may_open;  // (3) [m; rad]
  };
  std::vector<Dropped> dropped;
  // Remainders in units of (2): the least of the kept rows, and the largest of the dropped rows.
  double least_kept, most_dropped;
};

// `loop_rows`: RowsOf the loop joints at this motion, which closes the loops. With `held`, the rows kept at another motion of the
// same mechanism, as many rows are kept whatever their remainders: those of `held`, unless the remainder of another is ten times as
// large. Throws ModelError if fewer are independent.
IndependentRows SelectIndependentRows(const SystemData& system, const Motion& motion,
                                      const std::vector<Mat3>& rotations,
                                      const std::vector<JointRows>& loop_rows,
                                      const std::vector<LoopRow>* held = nullptr);

// Required of the remainder of a row that counts, in units of (2): four known digits, or two where the precision of the loops is
// stated. Otherwise RequireKnownRank throws ModelError.
// Below this rows differ by the rounding of their frames alone; 0 unless the precision of the loops is stated.
double RoundingOf(const SystemData& system);
double LeastKnown(const SystemData& system);
void RequireKnownRank(const SystemData& system, const IndependentRows& independent);

// d of (3) of each loop joint: of its rows that are lengths [m], and of the others [rad].
struct LoopAccuracy {
  Real length, angle;
};
std::vector<LoopAccuracy> AccuracyOfLoops(const SystemData& system, const Motion& motion,
                                          const std::vector<Mat3>& rotations);

// Whether all rows would clearly be kept, each with a remainder of more than `least_kept` units (2). Computed in double precision, at a
// cost linear in bodies if few loops are coupled at a time. With sigma, the least singular value of the rows J_k, |rho|^2 >= sigma^2 (1 +
// |w|^2) and (2) is at most (1 + |w|^2)^1/2 (sum |e_k|^2)^1/2, whatever rows were kept before, so the remainder of each row is at least
// sigma / (sum |e_k|^2)^1/2.
bool ArePlainlyIndependent(const SystemData& system, const Motion& motion, double least_kept);

}  // namespace mbsbench::extended
