#include "problems/model/problem_options.h"

#include <array>
#include <charconv>

#include "problems/model/error.h"

namespace mbsbench {

namespace {

// The shortest text that reads back as the same number.
std::string Shortest(double value) {
  std::array<char, 32> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

}  // namespace

int IntegerOption(const ProblemOptions& options, const std::string& name, int fallback, int least,
                  int most) {
  const auto found = options.find(name);
  if (found == options.end()) return fallback;
  const std::string& text = found->second;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw ModelError("option '" + name + "' is '" + text + "': a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most) + " is needed.");
  }
  return value;
}

double NumberOption(const ProblemOptions& options, const std::string& name, double fallback,
                    double least, double most) {
  const auto found = options.find(name);
  if (found == options.end()) return fallback;
  const std::string& text = found->second;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      !(value >= least && value <= most)) {
    throw ModelError("option '" + name + "' is '" + text + "': a number from " + Shortest(least) +
                     " to " + Shortest(most) + " is needed.");
  }
  return value;
}

std::string NumberText(const std::string& name, double value) {
  std::string text = Shortest(value);
  if (const std::size_t sign = text.find("e+"); sign != std::string::npos)
    text.erase(sign + 1, text[sign + 2] == '0' ? 2 : 1);  // 1e+06 as people write it
  return name + "=" + text;
}

std::string NameWith(const std::string& family, const std::vector<std::string>& options) {
  std::string name = family;
  for (const std::string& option : options) {
    if (!option.empty()) name += (name == family ? ":" : ",") + option;
  }
  return name;
}

}  // namespace mbsbench
