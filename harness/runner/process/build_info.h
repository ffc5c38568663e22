// Properties of this build; the values are written by CMake.
#pragma once

namespace mbsbench {

// From the configuration.
extern const char* const kVersion;
extern const char* const kCompiler;
extern const char* const kFlags;
extern const char* const kPreset;
extern const char* const kSundialsVersion;
// At build time: abbreviated, with "-dirty" for uncommitted changes, or "unknown".
extern const char* const kCommit;

}  // namespace mbsbench
