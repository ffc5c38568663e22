#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace mbsbench {

// Arithmetic operations; a multiply-add counts as two. Changes of sign are not counted, nor are
// sines and cosines of angles, as in the counts of the literature.
struct OperationCount {
  std::int64_t multiplications = 0, additions = 0, divisions = 0, square_roots = 0;
};
inline OperationCount operator+(const OperationCount& a, const OperationCount& b) {
  return {a.multiplications + b.multiplications, a.additions + b.additions,
          a.divisions + b.divisions, a.square_roots + b.square_roots};
}

// A count of `what`, or the reason why there is none.
struct CountedOperations : std::optional<OperationCount> {
  CountedOperations(const OperationCount& count, std::string of = "evaluation")
      : optional(count), what(std::move(of)) {}
  static CountedOperations No(std::string why) { return CountedOperations(std::move(why)); }
  std::string what, why_not;

 private:
  explicit CountedOperations(std::string why) : why_not(std::move(why)) {}
};

}  // namespace mbsbench
