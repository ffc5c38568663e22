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
std::string FormatSecondsWith(int digits, double seconds);
std::string FormatBytes(std::optional<double> bytes);  // "1.2 MB"
std::string FormatCount(long long value);              // "100,008"
std::string FormatCount(std::integral auto value) {
  return FormatCount(static_cast<long long>(value));
}
std::string FormatExact(double value);  // the shortest text that reads back as the same double

// "1 cell", "12 cells", "2 bodies", "3 degrees of freedom"
std::string Plural(long long count, std::string_view noun);
std::string Plural(std::integral auto count, std::string_view noun) {
  return Plural(static_cast<long long>(count), noun);
}

// A share in a sentence: "no cell", "the only cell", "both cells", "all 12 cells", "3 of 12 cells"
std::string Share(long long count, long long of, std::string_view noun);
std::string Share(std::integral auto count, std::integral auto of, std::string_view noun) {
  return Share(static_cast<long long>(count), static_cast<long long>(of), noun);
}

// "a, b and 3 more"
std::string Listed(const std::vector<std::string>& names, std::size_t most);

}  // namespace mbsbench::reports
