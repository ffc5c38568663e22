// SHA-1 as 'sha1sum' prints it: 40 hexadecimal digits. It identifies files and builds; it protects nothing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mbsbench {

std::string Sha1(const std::string& text);
// Of the bytes of all files, one after another; what cannot be read counts as empty.
std::string Sha1OfFiles(const std::vector<std::filesystem::path>& files);

}  // namespace mbsbench
