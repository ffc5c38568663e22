#include "reference/numerics/real.h"

#include <array>

#include "problems/model/error.h"

namespace mbsbench::extended {

std::string ToText(Real x, int digits) {
  if (IsZero(x)) return "0";
  std::array<char, 64> text{};
  const int length = quadmath_snprintf(text.data(), text.size(), "%.*Qg", digits, x);
  return std::string(text.data(), static_cast<std::size_t>(length));
}

Real FromText(const std::string& text) {
  char* end = nullptr;
  const Real x = strtoflt128(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !finiteq(x))
    throw ModelError("'" + text + "' is not a number.");
  return x;
}

}  // namespace mbsbench::extended
