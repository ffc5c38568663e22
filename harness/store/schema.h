#pragma once

namespace mbsbench {

// schema.sql, as CMake found it.
extern const char kSchema[];

}  // namespace mbsbench
