// Whether the address or the thread sanitizer replaces the allocator and makes processes slower and larger.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MBSBENCH_SANITIZED 1
#else
#define MBSBENCH_SANITIZED 0
#endif

namespace mbsbench {

inline constexpr bool kIsSanitized = MBSBENCH_SANITIZED;

}  // namespace mbsbench
