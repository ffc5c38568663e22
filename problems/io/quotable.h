#pragma once

#include <string>
#include <string_view>

namespace mbsbench {

// A string of a file for quotation in a sentence: at most 64 bytes, no control characters.
std::string Quotable(std::string_view text);

}  // namespace mbsbench
