// Counts the allocations of an executable. operator new, Eigen and aligned blocks all call malloc or aligned_alloc,
// which are replaced in executables that link this file.
#pragma once

#include <cstddef>
#include <optional>

namespace mbsbench {

// The count of this thread so far; empty if a sanitizer replaces malloc.
std::optional<std::size_t> Allocations();

}  // namespace mbsbench
