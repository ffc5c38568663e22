// Condition of a 3 x 3 block that a sweep has factorised.
#pragma once

#include "methods/numerics/block_factors.h"
#include "problems/model/state.h"

namespace mbsbench {

// The condition of a symmetric 3 x 3 block A = L D L' from l = (L21, L31, L32) and the reciprocals of D.
double ConditionOfFactors(const Vector3& l, const Vector3& inverse_d);
inline double ConditionOfFactors(const Factors<double>& f) {
  return ConditionOfFactors({f.l21, f.l31, f.l32}, Plain(f.inverse_d));
}

}  // namespace mbsbench
