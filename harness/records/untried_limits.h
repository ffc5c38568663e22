// Limits that a method declares (DeclaredLimit, LimitRecord) on what no promise of `conform` tries; runs and reports go by them.
#pragma once

#include <algorithm>
#include <string_view>

namespace mbsbench {

// Its times say something about it. Without them it is neither timed nor ranked.
inline constexpr std::string_view kTimes = "times";

template <class Limits>
bool Keeps(std::string_view what, const Limits& limits) {
  return std::ranges::none_of(limits, [what](const auto& limit) {
    return std::ranges::find(limit.promises, what) != limit.promises.end();
  });
}

}  // namespace mbsbench
