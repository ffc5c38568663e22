// Files of a report, which are placed by --output.
#pragma once

#include "harness/store/files.h"

namespace mbsbench::reports {

// A page waits for the disk; the many files beside it, which another report replaces, do not. Links are followed only where the
// user names the page itself.
inline void WritePage(const std::filesystem::path& path, const std::string& text,
                      OnLink on_link = OnLink::kReplace) {
  mbsbench::WriteFile(path, text, "--output", true, on_link);
}
inline void WriteFile(const std::filesystem::path& path, const std::string& text) {
  mbsbench::WriteFile(path, text, "--output", false, OnLink::kReplace);
}
inline void MakeDirectory(const std::filesystem::path& path) { MakeFolder(path, "--output"); }

}  // namespace mbsbench::reports
