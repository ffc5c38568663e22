// The exact derivative of f. An OdeFormulation may derive from this class too; implicit integrators then need no difference
// quotients.
#pragma once

#include <span>

#include "methods/interface/status.h"

namespace mbsbench {

class OdeJacobian {
 public:
  virtual ~OdeJacobian() = default;
  // df/dy at (t, y), column by column: values[i + n j] = df_i/dy_j. Does not affect later
  // evaluations.
  virtual Status Jacobian(double t, std::span<const double> y, std::span<double> values) = 0;
};

}  // namespace mbsbench
