// Gragg's explicit midpoint rule, extrapolated in the square of its step by Aitken and Neville
// (Bulirsch, Stoer 1966; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, Sect.
// II.9) with the harmonic sequence 2, 4, 6, ...: k columns have order 2k for any k and need no
// table of coefficients.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "reference/numerics/real.h"

namespace mbsbench::extended {

// ydot = f(t, y)
template <class Scalar>
using RightHandSideIn =
    std::function<void(Scalar t, const std::vector<Scalar>& y, std::vector<Scalar>& ydot)>;
using RightHandSide = RightHandSideIn<Real>;

template <class Scalar>
struct ExtrapolationStepIn {
  std::vector<Scalar> y;           // of order 2k
  std::vector<Scalar> difference;  // to the result of order 2k - 2
};
using ExtrapolationStep = ExtrapolationStepIn<Real>;
ExtrapolationStep Step(const RightHandSide& f, Real t, const std::vector<Real>& y, Real h,
                       int columns);
ExtrapolationStepIn<Real64> Step(const RightHandSideIn<Real64>& f, Real64 t,
                                 const std::vector<Real64>& y, Real64 h, int columns);

struct ExtrapolationSettings {
  int columns = 10;
  double tolerance = 1e-22;  // of each step: largest scaled difference between the last two orders
  double first_step = 0;     // [s]; 0: the first sampling interval
};

struct ExtrapolationCounters {
  std::int64_t steps = 0, rejected_steps = 0, evaluations = 0;
  Real smallest_step = 0, largest_step = 0;
};

// Integrates y from times[0] through all times, ending a step on each. `scale`: divisor of an
// entry's error. `after_step` may correct y at t (projection); `sample` gets y at each time. Throws
// ModelError if the step becomes too small.
ExtrapolationCounters Extrapolate(
    const RightHandSide& f, const std::vector<double>& times, std::vector<Real> y,
    const std::vector<double>& scale, const ExtrapolationSettings& settings,
    const std::function<void(Real t, std::vector<Real>& y)>& after_step,
    const std::function<void(std::size_t k, const std::vector<Real>& y)>& sample);

}  // namespace mbsbench::extended
