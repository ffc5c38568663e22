// What an OdeFormulation may offer besides: the exact derivative of its f. One that derives from this, too, spares implicit
// integrators their difference quotients.
#pragma once

#include <span>

#include "methods/interface/status.h"

namespace mbsbench {

class OdeJacobian {
 public:
  virtual ~OdeJacobian() = default;
  // df/dy at (t, y), column by column: values[i + n j] = df_i/dy_j. Leaves no trace in evaluations.
  virtual Status Jacobian(double t, std::span<const double> y, std::span<double> values) = 0;
};

}  // namespace mbsbench
