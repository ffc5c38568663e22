#pragma once

#include <string>
#include <string_view>

namespace mbsbench {

// A string from a file for quotation in a message: at most 64 bytes, no control characters.
std::string Quotable(std::string_view text);

// A message of a library on one line, without its full stop: at most 500 bytes.
std::string OnOneLine(std::string text);

}  // namespace mbsbench
