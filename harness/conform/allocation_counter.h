// Counts the allocations of an executable: operator new, Eigen and aligned blocks all end in malloc or
// aligned_alloc, which are replaced where this is linked.
#pragma once

#include <cstddef>
#include <optional>

namespace mbsbench {

// Of this thread so far; empty where a sanitizer owns malloc.
std::optional<std::size_t> Allocations();

}  // namespace mbsbench
