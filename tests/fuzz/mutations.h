// Changes of a model file that keep it nearly a model file, chosen by a seed: shared by the fuzzer and
// by the test that replays a few hundred of them in every build.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace mbsbench {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string Mutate(std::string text) {
    const std::size_t count = 1 + Below(3);
    for (std::size_t k = 0; k < count; ++k) {
      switch (Below(8)) {
        case 0: FlipByte(text); break;
        case 1: DeleteSome(text); break;
        case 2:
        case 3: ReplaceNumber(text); break;
        case 4: SwapStrings(text); break;
        case 5: CopySome(text); break;
        case 6: DeleteMember(text); break;
        case 7: ReplaceToken(text); break;
      }
    }
    return text;
  }

 private:
  struct Span {
    std::size_t begin, size;
  };

  std::size_t Below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  template <typename Things>
  const auto& Any(const Things& things) {
    return things[Below(std::size(things))];
  }

  void FlipByte(std::string& text) {
    if (!text.empty()) text[Below(text.size())] ^= static_cast<char>(1 << Below(8));
  }

  void DeleteSome(std::string& text) {
    if (!text.empty()) text.erase(Below(text.size()), 1 + Below(20));
  }

  void CopySome(std::string& text) {
    if (text.empty()) return;
    const std::string piece = text.substr(Below(text.size()), 1 + Below(200));
    text.insert(Below(text.size()), piece);
  }

  void ReplaceNumber(std::string& text) {
    static const char* const kNumbers[] = {"0",      "-1",     "1",           "1e999",
                                           "-1e999", "1e308",  "-1e308",      "1e200",
                                           "1e150",  "1e-320", "5e-324",      "0.5",
                                           "1e-6",   "-0.0",   "NaN",         "0.70710678118654757",
                                           "null",   "true",   "99999999999", "1e16",
                                           "\"1\"",  "[]",     "3.14159",     "1e-300"};
    std::vector<Span> numbers;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool starts = text[i] == '-' || (text[i] >= '0' && text[i] <= '9');
      if (!starts) continue;
      std::size_t end = i;
      while (end < text.size() &&
             std::string_view("+-.eE0123456789").find(text[end]) != std::string_view::npos)
        ++end;
      numbers.push_back({i, end - i});
      i = end;
    }
    if (numbers.empty()) return;
    const Span at = Any(numbers);
    text.replace(at.begin, at.size, Any(kNumbers));
  }

  std::vector<Span> Strings(const std::string& text) const {
    std::vector<Span> strings;
    for (std::size_t i = text.find('"'); i != std::string::npos; i = text.find('"', i)) {
      const std::size_t end = text.find('"', i + 1);
      if (end == std::string::npos) break;
      strings.push_back({i, end + 1 - i});
      i = end + 1;
    }
    return strings;
  }

  // Puts one string of the file (a key, a name, a word) in the place of another.
  void SwapStrings(std::string& text) {
    const std::vector<Span> strings = Strings(text);
    if (strings.empty()) return;
    const Span from = Any(strings), to = Any(strings);
    text.replace(to.begin, to.size, text.substr(from.begin, from.size));
  }

  // Removes from one comma to the next.
  void DeleteMember(std::string& text) {
    if (text.empty()) return;
    const std::size_t begin = text.find(',', Below(text.size()));
    if (begin == std::string::npos) return;
    const std::size_t end = text.find(',', begin + 1);
    text.erase(begin, end == std::string::npos ? std::string::npos : end - begin);
  }

  void ReplaceToken(std::string& text) {
    static const char* const kTokens[] = {"{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "\"",
                                          "\\u0000",
                                          "//",
                                          "ground",
                                          "\"dependent\": true, ",
                                          "\"type\": \"free\", ",
                                          "\"length_m\": 1, ",
                                          "\"quaternion_wxyz\": [0, 0, 0, 1], ",
                                          "[[[[[[[[",
                                          "\xff",
                                          "\xef\xbb\xbf"};
    if (text.empty()) return;
    const std::size_t at = text.find_first_of("{}[],:\"", Below(text.size()));
    if (at == std::string::npos) return;
    const bool replace = Below(2) == 0;
    text.replace(at + (replace ? 0 : 1), replace ? 1 : 0, Any(kTokens));
  }

  std::mt19937_64 random_;
};

}  // namespace mbsbench
