#pragma once

namespace mbsbench {

// The text of schema.sql, embedded by CMake.
extern const char kSchema[];

}  // namespace mbsbench
