// Files of a report, which are placed by --output.
#pragma once

#include "harness/store/files.h"

namespace mbsbench::reports {

// A page waits for the disk; the many files beside it, which another report replaces, do not.
inline void WritePage(const std::filesystem::path& path, const std::string& text) {
  mbsbench::WriteFile(path, text, "--output");
}
inline void WriteFile(const std::filesystem::path& path, const std::string& text) {
  mbsbench::WriteFile(path, text, "--output", false);
}
inline void MakeDirectory(const std::filesystem::path& path) { MakeFolder(path, "--output"); }

}  // namespace mbsbench::reports
