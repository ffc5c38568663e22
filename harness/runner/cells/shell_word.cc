#include "harness/runner/cells/shell_word.h"

#include <algorithm>
#include <string_view>

namespace mbsbench {

std::string ShellWord(const std::string& word) {
  constexpr std::string_view kPlain = "-_./:=,+@%^";
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [=](char c) {
    const bool is_letter_or_digit =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return is_letter_or_digit || kPlain.find(c) != std::string_view::npos;
  });
  if (is_plain) return word;
  std::string quoted = "'";
  for (char c : word) {
    if (c == '\'')
      quoted += "'\\''";  // ends the quotes, stands for itself, begins them again
    else
      quoted += c;
  }
  return quoted + "'";
}

}  // namespace mbsbench
