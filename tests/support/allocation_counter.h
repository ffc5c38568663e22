// Counts the allocations of an executable: operator new, Eigen and aligned blocks all end in malloc
// or aligned_alloc, which are replaced here. Exactly one source of an executable includes this.
#pragma once

#include <cstddef>

#include "tests/support/sanitized.h"

namespace mbsbench {

inline std::size_t allocations = 0;

inline constexpr bool kCountsAllocations = !kIsSanitized;

}  // namespace mbsbench

#if !MBSBENCH_SANITIZED
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) {
  ++mbsbench::allocations;
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++mbsbench::allocations;
  return __libc_memalign(alignment, size);
}
}
#endif
