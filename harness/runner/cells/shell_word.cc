#include "harness/runner/cells/shell_word.h"

#include <boost/algorithm/string/replace.hpp>

namespace mbsbench {

std::string ShellWord(const std::string& word) {
  constexpr char kPlain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:=,+@%^";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  // A quote ends the quotes, stands for itself, and begins them again.
  return "'" + boost::replace_all_copy(word, "'", "'\\''") + "'";
}

}  // namespace mbsbench
