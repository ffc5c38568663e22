#include "harness/runner/environment.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <boost/uuid/detail/sha1.hpp>
#include <boost/version.hpp>

#include <fstream>
#include <vector>

#include "harness/control_kernel.h"
#include "harness/runner/build_info.h"
#include "harness/runner/supervisor.h"

namespace mbsbench {

namespace {

// What follows `field` and `separator` in the first line of a file that begins with it.
std::string FieldOf(const char* file, const std::string& field, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(field, 0) != 0) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t\"", at + 1);
    const std::size_t end = line.find_last_not_of(" \t\"");
    return begin == std::string::npos ? "" : line.substr(begin, end - begin + 1);
  }
  return "unknown";
}

}  // namespace

Json MachineDocument() {
  utsname system{};
  uname(&system);
  return {
      {"cpu", FieldOf("/proc/cpuinfo", "model name", ':')},
      {"cores", UsableCores()},
      {"memory_bytes", static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE)},
      {"kernel", std::string(system.sysname) + " " + system.release},
      {"os", FieldOf("/etc/os-release", "PRETTY_NAME", '=')},
      {"gigaflops_scalar", ScalarGigaflops()}};
}

Json BuildDocument(const std::string& binary_hash) {
  return {
      {"version", kVersion},
      {"commit", kCommit},
      {"compiler", kCompiler},
      {"flags", kFlags},
      {"preset", kPreset},
      {"binary_hash", binary_hash},
      {"libraries",
       {{"Eigen",
         fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
        {"SUNDIALS", kSundialsVersion},
        {"Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000,
                              BOOST_VERSION % 100)},
        {"SQLite", sqlite3_libversion()},
        {"fmt",
         fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
        {"CLI11", CLI11_VERSION},
        {"nlohmann-json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                      NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)}}}};
}

std::string MachineIdentity() {
  return fmt::format("{} x {}", UsableCores(), FieldOf("/proc/cpuinfo", "model name", ':'));
}

std::string HashOfBinary(const std::vector<std::filesystem::path>& plugins) {
  std::vector<std::filesystem::path> files{"/proc/self/exe"};
  files.insert(files.end(), plugins.begin(), plugins.end());
  boost::uuids::detail::sha1 sha1;
  std::vector<char> buffer(1 << 20);
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    while (in) {
      in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
      sha1.process_bytes(buffer.data(), static_cast<std::size_t>(in.gcount()));
    }
  }
  unsigned digest[5];
  sha1.get_digest(digest);
  std::string text;
  for (unsigned word : digest) text += fmt::format("{:08x}", word);
  return text;
}

std::string Version() { return kVersion; }

}  // namespace mbsbench
