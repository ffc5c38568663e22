// Files of a report, which are placed by --output.
#pragma once

#include <filesystem>
#include <string>

namespace mbsbench::reports {

// As in harness/store/files.h. A page waits for the disk; the many files beside it, which another report replaces, do not.
void WritePage(const std::filesystem::path& path, const std::string& text);
void WriteFile(const std::filesystem::path& path, const std::string& text);
void MakeDirectory(const std::filesystem::path& path);
std::string ReadFile(const std::filesystem::path& path);  // empty when there is none

}  // namespace mbsbench::reports
