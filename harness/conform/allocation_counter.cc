#include "harness/conform/allocation_counter.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

namespace mbsbench {

std::optional<std::size_t> Allocations() { return std::nullopt; }

}  // namespace mbsbench

#else

namespace {

thread_local std::size_t allocations = 0;

}  // namespace

namespace mbsbench {

std::optional<std::size_t> Allocations() { return allocations; }

}  // namespace mbsbench

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}

#endif
