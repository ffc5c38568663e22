// Numbers as people read them. Tables of the Markdown and the HTML report print these very strings.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/records/short_number.h"

namespace mbsbench::reports {

using mbsbench::FormatDigits;
using mbsbench::FormatError;
std::string FormatSeconds(std::optional<double> seconds);  // three digits with a unit, "12.3 ms"
std::string FormatRatio(double ratio);                     // three digits, "1.20"
std::string FormatCount(long long value);                  // "100,008"
std::string FormatCount(std::integral auto value) {
  return FormatCount(static_cast<long long>(value));
}
std::string FormatThree(double value);  // three digits, "12.3"; a count from 1,000 on, "12,345"
std::string FormatShort(double value);  // likewise; below 0.01 two digits, "1.2e-7"
std::string FormatExact(double value);  // the shortest text that reads back as the same double
// With the decimals that its error allows, at most the 15 digits of double precision.
std::string FormatSteady(double value, std::optional<double> error);

// "1 cell", "12 cells", "2 bodies", "3 degrees of freedom"
std::string Plural(long long count, std::string_view noun);
std::string Plural(std::integral auto count, std::string_view noun) {
  return Plural(static_cast<long long>(count), noun);
}

// "a, b and 3 more"
std::string Listed(const std::vector<std::string>& names, std::size_t most);

}  // namespace mbsbench::reports
