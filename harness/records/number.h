// A number that may not be available.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

namespace mbsbench {

// Empty if the number is not available; the number is never replaced by 0 or NaN.
using MaybeNumber = std::optional<double>;

// A number that is not finite counts as not available.
inline MaybeNumber IfFinite(double number) {
  return std::isfinite(number) ? MaybeNumber(number) : std::nullopt;
}
inline MaybeNumber IfFinite(MaybeNumber number) {
  return number ? IfFinite(*number) : std::nullopt;
}
inline std::vector<MaybeNumber> IfFinite(const std::vector<double>& numbers) {
  std::vector<MaybeNumber> known;
  for (const double number : numbers) known.push_back(IfFinite(number));
  return known;
}

// `least` becomes `value` if that is available and less, or the first one.
inline void Lower(MaybeNumber& least, MaybeNumber value) {
  if (value && (!least || *value < *least)) least = value;
}

// A part of a record, or an empty one.
template <typename T>
const T& OrNone(const std::optional<T>& part) {
  static const T none{};
  return part ? *part : none;
}

// Empty unless `json` is a finite number. A template for JSON types with and without ordered fields.
template <typename Document>
MaybeNumber NumberIn(const Document& json) {
  return json.is_number() ? IfFinite(json.template get<double>()) : std::nullopt;
}

}  // namespace mbsbench
