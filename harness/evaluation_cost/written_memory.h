#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace mbsbench {

// Bytes of memory that `work` writes to, in whole pages: what it writes to in a copy of this process
// is no longer shared with it. Whoever did the work, and however it keeps its memory, is seen alike.
// Empty where the system does not tell.
std::optional<std::int64_t> BytesWrittenBy(const std::function<void()>& work);

}  // namespace mbsbench
