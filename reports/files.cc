#include "reports/files.h"

#include <fstream>
#include <iterator>

#include "reports/report.h"

namespace mbsbench::reports {

void WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file)
    throw ReportError("cannot write " + path.string() +
                      "; name a directory that can be written, with room left");
}

void MakeDirectory(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw ReportError("cannot make the directory " + path.string() + " (" + error.message() +
                      "); name one that can be written");
  }
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace mbsbench::reports
