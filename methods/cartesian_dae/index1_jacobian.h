// The exact Jacobian of `index1` from the equations of `baumgarte` with alpha = beta = 0, which are the same ones as a residual
// F(y, y', lambda) = 0, linear in y' and lambda. With A = [dF/dy' dF/dlambda], which depends on y alone,
//
//   A (y'; lambda) = -F(y, 0, 0)                A (dy'/dy; dlambda/dy) = -dF/dy              (1)
//
// A is sparse and factorised once; there is one solution per entry of y. f of `index1` depends on n = q / |q|, so the
// columns of a quaternion are those of n times (1 - n n') / |q|.
#pragma once

#include <memory>
#include <span>

#include "methods/interface/status.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

class Index1Jacobian {
 public:
  explicit Index1Jacobian(const System& system);
  ~Index1Jacobian();

  // As Formulation::Initialise.
  Status Start(double t, const SystemState& state);
  // y = (r, q, v, omega) of all bodies in their order; column by column. Does not count as an
  // evaluation of f.
  Status Evaluate(double t, std::span<const double> y, std::span<double> values);

 private:
  struct Equations;
  std::unique_ptr<Equations> equations_;
};

}  // namespace mbsbench::cartesian
