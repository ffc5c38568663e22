#include "problems/io/quotable.h"

#include <algorithm>

namespace mbsbench {

std::string Quotable(std::string_view text) {
  constexpr std::size_t kMost = 64;
  std::size_t end = std::min(text.size(), kMost);
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  while (end > 0 && end < text.size() && continues(text[end])) --end;  // cut between characters
  std::string quotable(text.substr(0, end));
  for (char& c : quotable) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return end < text.size() ? quotable + "..." : quotable;
}

std::string OnOneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text.substr(0, 500);
}

}  // namespace mbsbench
