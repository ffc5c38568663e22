// The condition number of the overall transfer equation: how the loss of digits along a chain shows.
#pragma once

#include "methods/interface/formulation.h"

namespace mbsbench {

class OverallCondition {
 public:
  virtual ~OverallCondition() = default;
  // Of K, the overall transfer matrix without its supplement equations, in the 1-norm, estimated from
  // the factors of the last evaluation; infinite when singular.
  virtual double ConditionNumber() const = 0;
};

// Of a formulation of classical-mstmm after an evaluation; NaN for those of other methods.
double OverallConditionNumber(const Formulation& formulation);

}  // namespace mbsbench
