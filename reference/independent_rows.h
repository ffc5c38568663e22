// Which rows of loop joints say more than the others do, by geometry alone: masses play no part.
//
// A row r over the rates u of the tree joints that are free to move is J_r u, J_r = g_r V, V: how the rates move
// the joint's two bodies. Rows that are lengths are divided by the length of their loop and slides are
// multiplied by that of the longest, and then rows have unit length. Of the rows kept so far,
//
//   J_r = sum_k w_k J_k + rho                                                                   (1)
//
// rho is what is left of row r. The data are doubles, so that each entry of J is known to e = kappa 2^-53
// of the terms that it consists of, and rho to
//
//   |rho| ~ | e_r + sum_k |w_k| e_k |                                                           (2)
//
// A row counts where more than that is left of it.
#pragma once

#include <vector>

#include "reference/constraints.h"
#include "reference/extended_system.h"

namespace mbsbench::extended {

struct LoopRow {
  std::size_t joint, row;
};

struct IndependentRows {
  std::vector<LoopRow> rows;  // in the order of the joints
  // What is left of rows in units of (2): the least of rows kept, and the most of rows dropped.
  double least_kept, most_dropped;
};

// `loop_rows`: RowsOf the loop joints at this motion, which closes the loops.
IndependentRows SelectIndependentRows(const SystemData& system, const Motion& motion,
                                      const std::vector<Mat3>& rotations,
                                      const std::vector<JointRows>& loop_rows);

// Whether plainly all rows would be kept, each with more than `least_kept` of units (2) left: found in double precision and at a cost that
// grows with the bodies where few loops are coupled at a time. With sigma, the least singular value of the rows J_k,
// |rho|^2 >= sigma^2 (1 + |w|^2) and (2) is at most (1 + |w|^2)^1/2 (sum |e_k|^2)^1/2, whichever rows were kept before, so that at least
// sigma / (sum |e_k|^2)^1/2 is left of each row.
bool ArePlainlyIndependent(const SystemData& system, const Motion& motion, double least_kept);

}  // namespace mbsbench::extended
