// The rank of rows whose entries have a known error.
#pragma once

#include <Eigen/Core>

#include "methods/loops/nearly_dependent_loops.h"

namespace mbsbench {

// Column c of `rows` is a row J_c of about unit length, `known_to` the error of its entries. In terms of the rows
// kept so far J_c = sum_k w_k J_k + rho, and the error of rho is |known_to_c + sum_k |w_k| known_to_k|. The row
// counts as independent if rho exceeds that.
KnownRank KnownRankOf(Eigen::MatrixXd rows, const Eigen::MatrixXd& known_to);

}  // namespace mbsbench
