// Limits that a method declares (DeclaredLimit, LimitRecord) on what no promise of `conform` tries; runs and reports go by them.
#pragma once

#include <fnmatch.h>

#include <algorithm>
#include <string>

namespace mbsbench {

// Its times say something about it. Without them it is neither timed nor ranked.
inline constexpr const char* kTimes = "times";
// It solves the equations of the mechanism. Without them nobody judges its accelerations, and its error may stop falling.
inline constexpr const char* kEquations = "equations";

template <class Limits>
bool Keeps(const char* what, const Limits& limits) {
  return std::ranges::none_of(limits, [what](const auto& limit) {
    return std::ranges::any_of(limit.promises, [what](const std::string& pattern) {
      return fnmatch(pattern.c_str(), what, 0) == 0;
    });
  });
}

}  // namespace mbsbench
