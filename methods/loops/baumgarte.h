// The rate of Baumgarte's terms, g'' + 2 alpha g' + beta^2 g = 0 with alpha = beta (Baumgarte 1972).
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

// alpha = beta as a multiple of 1/T, so that a number has the same effect on every problem; prepare()
// reads it in 1/s (NumericOption).
inline const NumericOption kBaumgarteRate{
    "rate", "alpha = beta of Baumgarte's terms", "1/T", 10, 0.001, 1e6, "baumgarte"};

}  // namespace mbsbench
