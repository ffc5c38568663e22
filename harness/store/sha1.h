// SHA-1 as 'sha1sum' prints it: 40 hexadecimal digits. It identifies files and builds and is not used for security.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mbsbench {

std::string Sha1(const std::string& text);
// The hash of the concatenated bytes of all files; an unreadable file counts as empty.
std::string Sha1OfFiles(const std::vector<std::filesystem::path>& files);

}  // namespace mbsbench
