#include "reports/format/format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace mbsbench::reports {

std::string FormatRatio(double ratio) {
  const double size = std::abs(ratio);
  return fmt::format("{:.{}f}", ratio, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

std::string FormatSeconds(std::optional<double> seconds) {
  if (!seconds) return "-";
  const double rounded = std::stod(fmt::format("{:.2e}", *seconds));
  constexpr std::pair<double, const char*> kUnits[] = {
      {1, " s"}, {1e-3, " ms"}, {1e-6, " µs"}, {1e-9, " ns"}};
  for (const auto& [unit, name] : kUnits) {
    // 999.6 µs is rounded to 1.00 ms
    if (std::abs(rounded) >= 0.9995 * unit || unit == 1e-9)
      return FormatRatio(rounded / unit) + name;
  }
  return {};
}

std::string FormatCount(long long value) {
  std::string digits = std::to_string(std::llabs(value));
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return value < 0 ? "-" + digits : digits;
}

std::string FormatThree(double value) {
  const double size = std::abs(value);
  return size >= 1000 && size < 1e9 ? FormatCount(std::llround(value)) : FormatDigits(value, 3);
}

std::string FormatShort(double value) {
  return value != 0 && std::abs(value) < 1e-2 ? FormatError(value) : FormatThree(value);
}

std::string FormatExact(double value) { return fmt::format("{}", value); }

std::string FormatSteady(double value, std::optional<double> error) {
  constexpr int kMostDigits = 15;
  constexpr double kRoundOff = 1e-16;
  const double known = std::max(error.value_or(1e-9), kRoundOff * std::max(1., std::abs(value)));
  const int decimals = std::clamp(static_cast<int>(std::floor(-std::log10(2 * known))), 0, 17);
  const double magnitude = std::abs(value);
  if (magnitude < std::pow(10., -decimals)) return "0";
  const int leading = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, std::max(0, kMostDigits - leading)));
}

std::string Plural(long long count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  std::string_view head = noun.substr(0, noun.find(" of "));
  const std::string_view rest = noun.substr(head.size());
  // body, quantity, family; not array
  const bool ends_in_y = head.ends_with("dy") || head.ends_with("ty") || head.ends_with("ly");
  if (ends_in_y) head.remove_suffix(1);
  return fmt::format("{} {}{}{}", FormatCount(count), head, ends_in_y ? "ies" : "s", rest);
}

std::string Listed(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t shown = std::min(names.size(), most);
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

}  // namespace mbsbench::reports
