// The condition of the linear equations that a formulation solves for its accelerations; it explains
// lost digits.
#pragma once

#include <limits>
#include <string>

namespace mbsbench {

struct SolvedCondition {
  // In the 1-norm, possibly estimated; infinite if singular, NaN: none.
  double number = std::numeric_limits<double>::quiet_NaN();
  // What is solved, or the reason why there is no number.
  std::string of = "this method does not state the condition of what it solves";
  int order = 0;  // rows of the largest matrix solved, cut forces included; 0: not stated
};

}  // namespace mbsbench
