#include "harness/records/short_number.h"

#include <fmt/format.h>

namespace mbsbench {

namespace {

// printf writes "1.2e-07"; the leading zero of the exponent is removed.
std::string ShortExponent(std::string text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::size_t digits = e + 2;
  while (digits + 1 < text.size() && text[digits] == '0') text.erase(digits, 1);
  if (text[e + 1] == '+') text.erase(e + 1, 1);
  return text;
}

}  // namespace

std::string FormatDigits(double value, int digits) {
  return ShortExponent(fmt::format("{:.{}g}", value, digits));
}

std::string FormatError(MaybeNumber value) {
  if (!value) return "-";
  if (*value == 0) return "0";
  std::string text = fmt::format("{:.1e}", *value);
  if (const std::size_t zero = text.find(".0e"); zero != std::string::npos) text.erase(zero, 2);
  text = ShortExponent(text);
  if (text.ends_with("e0")) text.resize(text.size() - 2);
  return text;
}

}  // namespace mbsbench
