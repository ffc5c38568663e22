#include "reports/format/files.h"

#include <fstream>
#include <iterator>

#include "harness/store/files.h"

namespace mbsbench::reports {

namespace {

constexpr char kOption[] = "--output";

}  // namespace

void WritePage(const std::filesystem::path& path, const std::string& text) {
  mbsbench::WriteFile(path, text, kOption);
}

void WriteFile(const std::filesystem::path& path, const std::string& text) {
  mbsbench::WriteFile(path, text, kOption, false);
}

void MakeDirectory(const std::filesystem::path& path) { MakeFolder(path, kOption); }

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace mbsbench::reports
