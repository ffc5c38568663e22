// The rank of rows whose entries have a known error.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace mbsbench {

struct KnownRank {
  int rank = 0;
  // The least ratio of the remainder of a row that counts to its error.
  double least = std::numeric_limits<double>::infinity();
  // The least remainder of a row that counts.
  double remainder = std::numeric_limits<double>::infinity();
};

// `rows` holds rows J_c of `entries` numbers one after the other, of about unit length or zero, `known_to` the error of
// their entries. In terms of the rows kept so far J_c = sum_k w_k J_k + rho, and the error of rho is |known_to_c + sum_k |w_k| known_to_k|. The row
// counts as independent if rho exceeds that.
KnownRank KnownRankOf(std::span<const double> rows, std::span<const double> known_to,
                      std::size_t entries);

}  // namespace mbsbench
