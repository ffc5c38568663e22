#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

// The text of a file of the sources.
inline std::string Read(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}
