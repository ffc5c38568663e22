// The rank of rows whose entries are known to so many places only.
#pragma once

#include <Eigen/Core>

#include "methods/numerics/nearly_dependent_loops.h"

namespace mbsbench {

// Column c of `rows` is a row J_c of about unit length, `known_to` what its entries may be off by. Of the rows
// kept so far J_c = sum_k w_k J_k + rho, and rho is known to |known_to_c + sum_k |w_k| known_to_k|. The row counts as
// independent where more than that is left of it.
KnownRank KnownRankOf(Eigen::MatrixXd rows, const Eigen::MatrixXd& known_to);

}  // namespace mbsbench
