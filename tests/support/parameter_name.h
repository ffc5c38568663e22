// How the tests of a parameter are named: by its index and the beginning of its text.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <type_traits>

namespace mbsbench {

// "chainN3d:bodies=10", the third parameter: "2_chainN3d_bodies_10"
inline constexpr auto NameOfParameter = [](const auto& info) {
  std::string text;
  if constexpr (std::is_convertible_v<decltype(info.param), std::string>) {
    text = info.param;
  } else {
    text = testing::PrintToString(info.param);
  }
  constexpr std::size_t kMost = 35;
  std::string name = std::to_string(info.index) + "_";
  for (const char c : text) {
    const bool is_word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (name.size() < kMost && (is_word || name.back() != '_')) name += is_word ? c : '_';
  }
  return name;
};

}  // namespace mbsbench
