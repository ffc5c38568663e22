// What this build is; the values are written by CMake.
#pragma once

namespace mbsbench {

// As configured.
extern const char* const kVersion;
extern const char* const kCompiler;
extern const char* const kFlags;
extern const char* const kPreset;
extern const char* const kSundialsVersion;
// As built: abbreviated, "-dirty" with changes that are not committed, or "unknown".
extern const char* const kCommit;

}  // namespace mbsbench
