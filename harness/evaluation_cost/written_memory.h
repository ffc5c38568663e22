#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace mbsbench {

// Bytes of memory that `work` writes to, in whole pages, counted in a copy of this process as the pages that are no
// longer shared with it. This covers all code that the work calls, however it allocates. Empty if the system does not
// report it.
std::optional<std::int64_t> BytesWrittenBy(const std::function<void()>& work);

}  // namespace mbsbench
