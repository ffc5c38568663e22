#include "reference/numerics/extrapolation.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "problems/model/error.h"

namespace mbsbench::extended {

namespace {

// Midpoint rule with n (even) substeps; f0 = f(t, y).
template <class Scalar>
std::vector<Scalar> Midpoint(const RightHandSideIn<Scalar>& f, Scalar t,
                             const std::vector<Scalar>& y, const std::vector<Scalar>& f0,
                             Scalar step, int n) {
  const Scalar h = step / n;
  std::vector<Scalar> before = y, now = y, rate;
  for (std::size_t i = 0; i < y.size(); ++i) now[i] += h * f0[i];
  for (int k = 1; k < n; ++k) {
    f(t + k * h, now, rate);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const Scalar next = before[i] + 2 * h * rate[i];
      before[i] = now[i];
      now[i] = next;
    }
  }
  return now;
}

template <class Scalar>
ExtrapolationStepIn<Scalar> StepFrom(const RightHandSideIn<Scalar>& f, Scalar t,
                                     const std::vector<Scalar>& y, const std::vector<Scalar>& f0,
                                     Scalar h, int columns) {
  // row[c]: the entry of column c in the newest row of the tableau
  std::vector<std::vector<Scalar>> row(static_cast<std::size_t>(columns));
  ExtrapolationStepIn<Scalar> step;
  for (int j = 0; j < columns; ++j) {
    std::vector<Scalar> entry = Midpoint(f, t, y, f0, h, 2 * (j + 1));
    for (int c = 0; c < j; ++c) {
      // T(j, c+1) = T(j, c) + (T(j, c) - T(j-1, c)) / ((n_j / n_(j-c-1))^2 - 1)
      const Scalar n = j + 1, m = j - c;
      const Scalar weight = m * m / (n * n - m * m);
      std::vector<Scalar>& older = row[static_cast<std::size_t>(c)];
      for (std::size_t i = 0; i < entry.size(); ++i) {
        const Scalar correction = weight * (entry[i] - older[i]);
        older[i] = entry[i];  // now the newest of column c
        entry[i] += correction;
      }
    }
    row[static_cast<std::size_t>(j)] = std::move(entry);
  }
  const auto k = static_cast<std::size_t>(columns);
  step.difference = row[k - 1];
  for (std::size_t i = 0; i < y.size(); ++i) step.difference[i] -= row[k - 2][i];
  step.y = std::move(row[k - 1]);
  return step;
}

template <class Scalar>
ExtrapolationStepIn<Scalar> StepOnce(const RightHandSideIn<Scalar>& f, Scalar t,
                                     const std::vector<Scalar>& y, Scalar h, int columns) {
  std::vector<Scalar> f0;
  f(t, y, f0);
  return StepFrom(f, t, y, f0, h, columns);
}

}  // namespace

ExtrapolationStep Step(const RightHandSide& f, Real t, const std::vector<Real>& y, Real h,
                       int columns) {
  return StepOnce(f, t, y, h, columns);
}

ExtrapolationStepIn<Real64> Step(const RightHandSideIn<Real64>& f, Real64 t,
                                 const std::vector<Real64>& y, Real64 h, int columns) {
  return StepOnce(f, t, y, h, columns);
}

ExtrapolationCounters Extrapolate(
    const RightHandSide& f, const std::vector<double>& times, std::vector<Real> y,
    const std::vector<double>& scale, const ExtrapolationSettings& settings,
    const std::function<void(Real t, std::vector<Real>& y)>& after_step,
    const std::function<void(std::size_t k, const std::vector<Real>& y)>& sample) {
  constexpr double kSafety = 0.8, kLeastFactor = 0.2, kMostFactor = 3;
  constexpr double kCollapsed = 1e-12;  // of the whole time
  ExtrapolationCounters counters;
  const RightHandSide counted = [&](Real t, const std::vector<Real>& at, std::vector<Real>& rate) {
    ++counters.evaluations;
    f(t, at, rate);
  };
  sample(0, y);
  if (times.size() < 2) return counters;
  const Real whole = Real(times.back()) - Real(times.front());
  Real wanted =
      settings.first_step > 0 ? Real(settings.first_step) : Real(times[1]) - Real(times[0]);
  std::vector<Real> f0;
  for (std::size_t k = 1; k < times.size(); ++k) {
    Real t = times[k - 1];
    const Real end = times[k];
    while (t < end) {
      counted(t, y, f0);
      for (;;) {
        const Real parts = -Floor(-(end - t) / wanted);
        const Real h = (end - t) / parts;
        ExtrapolationStep step = StepFrom(counted, t, y, f0, h, settings.columns);
        double error = 0;
        for (std::size_t i = 0; i < y.size(); ++i) {
          error = Max(error, std::abs(static_cast<double>(step.difference[i])) / scale[i]);
        }
        // The difference falls with the power 2k - 1 of the step.
        const double factor = std::isfinite(error) && error > 0
                                  ? std::clamp(kSafety * std::pow(settings.tolerance / error,
                                                                  1. / (2 * settings.columns - 1)),
                                               kLeastFactor, kMostFactor)
                                  : (error == 0 ? kMostFactor : kLeastFactor);
        wanted = factor * h;
        if (error <= settings.tolerance) {
          ++counters.steps;
          counters.smallest_step = IsZero(counters.smallest_step) || h < counters.smallest_step
                                       ? h
                                       : counters.smallest_step;
          counters.largest_step = Max(counters.largest_step, h);
          y = std::move(step.y);
          t = parts == 1 ? end : t + h;
          break;
        }
        ++counters.rejected_steps;
        if (wanted < Real(kCollapsed) * whole) {
          throw ModelError("the extended-precision step collapsed at t = " + ToText(t, 6) +
                           " s: the motion has a singular point there.");
        }
      }
      after_step(t, y);
    }
    sample(k, y);
  }
  return counters;
}

}  // namespace mbsbench::extended
