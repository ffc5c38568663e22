// How well conditioned the linear equations are that a formulation solves for its accelerations: why
// digits are lost where they are.
#pragma once

#include <limits>
#include <string>

namespace mbsbench {

struct SolvedCondition {
  // In the 1-norm, possibly estimated; infinite where singular, NaN: none.
  double number = std::numeric_limits<double>::quiet_NaN();
  // What is solved, or why there is no number.
  std::string of = "this method does not state the condition of what it solves";
  int order = 0;  // rows of the largest matrix solved, cut forces included; 0: not stated
};

}  // namespace mbsbench
