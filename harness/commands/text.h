// Text as those who read it need it: lines no wider than a terminal, fields of CSV.
#pragma once

#include <string>

namespace mbsbench {

inline constexpr std::size_t kTerminalWidth = 100;

// `lead` and `text` after it, broken at blanks; further lines are indented as far as the lead is long.
// Ends in a line feed. A word that is longer than a line is broken too.
std::string Wrapped(const std::string& lead, const std::string& text);

// Whether standard output is a terminal that shows colours, and nobody asked for none (no-color.org).
bool HasColor();

}  // namespace mbsbench
