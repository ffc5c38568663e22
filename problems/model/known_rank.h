// The rank of rows whose entries have a known error.
#pragma once

#include <Eigen/Core>
#include <limits>

namespace mbsbench {

struct KnownRank {
  int rank = 0;
  // The least ratio of the remainder of a row that counts to its error.
  double least = std::numeric_limits<double>::infinity();
  // The least remainder of a row that counts.
  double remainder = std::numeric_limits<double>::infinity();
};

// Column c of `rows` is a row J_c of about unit length, `known_to` the error of its entries. In terms of the rows
// kept so far J_c = sum_k w_k J_k + rho, and the error of rho is |known_to_c + sum_k |w_k| known_to_k|. The row
// counts as independent if rho exceeds that.
KnownRank KnownRankOf(Eigen::MatrixXd rows, const Eigen::MatrixXd& known_to);

}  // namespace mbsbench
