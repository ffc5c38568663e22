#pragma once

#include <cstdint>

namespace mbsbench {

// Arithmetic operations of one evaluation, a multiply-add being two of them. Signs cost nothing that
// a sum does not hide; sines and cosines of angles are not among them, as in the counts of the
// literature.
struct OperationCount {
  std::int64_t multiplications = 0, additions = 0, divisions = 0, square_roots = 0;
};
inline OperationCount operator+(const OperationCount& a, const OperationCount& b) {
  return {a.multiplications + b.multiplications, a.additions + b.additions,
          a.divisions + b.divisions, a.square_roots + b.square_roots};
}

}  // namespace mbsbench
