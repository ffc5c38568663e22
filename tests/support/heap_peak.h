// The bytes allocated by operator new in an executable, and their maximum. Exactly one source of an executable includes this.
// Direct calls of malloc (Eigen) are not counted.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "tests/support/sanitized.h"

namespace mbsbench {

inline constexpr bool kCountsHeap = !kIsSanitized;

namespace heap {

inline std::atomic<std::size_t> held = 0, most = 0;

inline void* Noted(void* block) {
  const std::size_t now = held += malloc_usable_size(block);
  std::size_t before = most;
  while (before < now && !most.compare_exchange_weak(before, now)) {
  }
  return block;
}

}  // namespace heap

// The largest increase of allocated bytes while `work` runs.
template <class Work>
std::size_t HeapPeakOf(Work work) {
  const std::size_t before = heap::held;
  heap::most = before;
  work();
  return heap::most - before;
}

}  // namespace mbsbench

#if !MBSBENCH_SANITIZED
void* operator new(std::size_t size) {
  void* const block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  return mbsbench::heap::Noted(block);
}
void operator delete(void* block) noexcept {
  mbsbench::heap::held -= malloc_usable_size(block);
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
#endif
