// Numbers in sentences and tables: few digits, and exponents without leading zeros.
#pragma once

#include <string>

#include "harness/records/number.h"

namespace mbsbench {

std::string FormatDigits(double value, int digits);  // "1.23e-7", "0.0123"
std::string FormatError(MaybeNumber value);          // two digits, "1.2e-7"; "-" where unknown

}  // namespace mbsbench
