// Reads and writes files of a report. A file that cannot be written is a ReportError.
#pragma once

#include <filesystem>
#include <string>

namespace mbsbench::reports {

void WriteFile(const std::filesystem::path& path, const std::string& text);
void MakeDirectory(const std::filesystem::path& path);
std::string ReadFile(const std::filesystem::path& path);  // empty when there is none

}  // namespace mbsbench::reports
