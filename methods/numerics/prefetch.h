// Prefetching in sweeps over contiguous records.
#pragma once

#include <cstddef>
#include <cstdint>

#include "methods/numerics/lanes.h"

namespace mbsbench {

// Large systems stream through the caches. Prefetching this many records ahead hides most of the
// memory latency, because the hardware's own prefetch stops at each page (a quarter of the time at
// 100,000 bodies). Prefetches beyond the ends of the arrays have no effect. In lanes, which are for
// small systems, prefetching would cost more than it saves.
template <class T>
inline constexpr std::ptrdiff_t kRecordsAhead = 16;
template <std::size_t n>
inline constexpr std::ptrdiff_t kRecordsAhead<LanesOf<n>> = 0;

template <std::ptrdiff_t kAhead, class Record>
[[gnu::always_inline]] inline void Prefetch(const Record& record) {
  if constexpr (kAhead == 0) return;
  constexpr auto kSize = static_cast<std::ptrdiff_t>(sizeof(Record));
  const auto first = reinterpret_cast<std::intptr_t>(&record) + kAhead * kSize;
  for (std::ptrdiff_t line = 0; line < kSize; line += 64) {
    __builtin_prefetch(reinterpret_cast<const void*>(first + line));
  }
}

}  // namespace mbsbench
