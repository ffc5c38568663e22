#pragma once

#include <cstdint>

namespace mbsbench {

// Arithmetic operations of one evaluation, a multiply-add being two of them. Signs cost nothing that
// a sum does not hide; sines and cosines of angles are not among them, as in the counts of the
// literature.
struct OperationCount {
  std::int64_t multiplications = 0, additions = 0, divisions = 0, square_roots = 0;
};

}  // namespace mbsbench
