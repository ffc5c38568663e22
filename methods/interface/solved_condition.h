// How well conditioned the linear equations are that a formulation solves for its accelerations: why
// digits are lost where they are.
#pragma once

#include <span>
#include <string>

#include "methods/interface/formulation.h"

namespace mbsbench {

struct SolvedCondition {
  double number = 0;  // in the 1-norm, possibly estimated; infinite where singular, NaN: none
  std::string of;     // what is solved, or why there is no number
  int order = 0;      // rows of the largest matrix solved, cut forces included; 0: not stated
};

// What a formulation implements that can state it.
class StatesCondition {
 public:
  virtual ~StatesCondition() = default;
  // At (t, y), by an evaluation of its own. May allocate.
  virtual SolvedCondition ConditionAt(double t, std::span<const double> y) = 0;
};

// Of any formulation: no number where it states none.
SolvedCondition ConditionAt(Formulation& formulation, double t, std::span<const double> y);

}  // namespace mbsbench
