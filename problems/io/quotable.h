#pragma once

#include <string>
#include <string_view>

namespace mbsbench {

// A string of a file for quotation in a sentence: at most 64 bytes, no control characters.
std::string Quotable(std::string_view text);

// A sentence of a library's on one line, without its full stop: at most 500 bytes.
std::string OnOneLine(std::string text);

}  // namespace mbsbench
