#include "harness/store/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <cstdint>

namespace mbsbench {

namespace {

bool IsControl(std::uint32_t code) {
  if (code == '\n' || code == '\t') return false;
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string Printable(std::string_view text) {
  namespace utf = boost::locale::utf;
  std::string shown;
  shown.reserve(text.size());
  for (const char *at = text.begin(), *next = at; at != text.end(); at = next) {
    const utf::code_point code = utf::utf_traits<char>::decode(next, text.end());
    if (code == utf::illegal || code == utf::incomplete) {
      shown += "\xef\xbf\xbd";
      next = at + 1;
    } else if (IsControl(code)) {
      shown += fmt::format("\\u{:04x}", code);
    } else {
      shown.append(at, next);
    }
  }
  return shown;
}

std::string PrintableLine(std::string_view text) {
  std::string line = Printable(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

}  // namespace mbsbench
