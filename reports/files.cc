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
    throw ReportError("the file '" + path.string() +
                      "' cannot be written. Give another place by --output, with room left.");
}

void MakeDirectory(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw ReportError("the folder '" + path.string() + "' cannot be made: " + error.message() +
                      ". Give another one by --output.");
  }
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace mbsbench::reports
