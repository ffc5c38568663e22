// Numbers as people read them. Tables of the Markdown and the HTML report print these very strings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/records/short_number.h"

namespace mbsbench::reports {

using mbsbench::FormatDigits;
using mbsbench::FormatError;
std::string FormatSeconds(std::optional<double> seconds);  // three digits with a unit, "12.3 ms"
std::string FormatBytes(std::optional<double> bytes);      // "1.2 MB"
std::string FormatCount(long long value);                  // "100,008"
std::string FormatExact(double value);  // the shortest text that reads back as the same double

// "1 cell", "12 cells"
std::string Plural(long long count, std::string_view noun);

}  // namespace mbsbench::reports
