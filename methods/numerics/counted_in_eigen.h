// The counting scalar in Eigen's matrices.
#pragma once

#include <Eigen/Core>

#include "methods/numerics/counted.h"

template <>
struct Eigen::NumTraits<mbsbench::Counted> : Eigen::GenericNumTraits<mbsbench::Counted> {
  enum { IsInteger = 0, IsSigned = 1, IsComplex = 0, RequireInitialization = 1 };
};
