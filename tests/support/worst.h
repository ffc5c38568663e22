// The largest of many differences. std::max would drop a NaN, so that a method that gives only
// NaN would agree with every reference.
#pragma once

#include <cmath>
#include <initializer_list>
#include <limits>

namespace mbsbench {

// NaN ranks worst and propagates.
template <class Real>
void Raise(Real& worst, Real x) {
  if (!(x <= worst)) worst = std::isnan(x) ? std::numeric_limits<Real>::infinity() : x;
}

template <class Real>
void Raise(Real& worst, std::initializer_list<Real> differences) {
  for (Real x : differences) Raise(worst, x);
}

}  // namespace mbsbench
