#include "harness/runner/process/environment.h"

#include <fmt/format.h>
#include <link.h>
#include <sqlite3.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <boost/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <utility>
#include <vector>

#include "harness/runner/process/build_info.h"
#include "harness/runner/process/timing_core.h"
#include "harness/store/sha1.h"
#include "harness/store/store.h"
#include "methods/interface/plugin.h"
#include "methods/thresholds/thresholds.h"

namespace mbsbench {

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

namespace {

// The build id of a loaded library (ELF note NT_GNU_BUILD_ID); empty if there is none.
std::string BuildId(const dl_phdr_info& library) {
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const char* note = reinterpret_cast<const char*>(library.dlpi_addr + segment.p_vaddr);
    const char* end = note + segment.p_memsz;
    const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
    while (note + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) head;
      std::memcpy(&head, note, sizeof head);
      const char* name = note + sizeof head;
      const char* id = name + padded(head.n_namesz);
      if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
        return {id, head.n_descsz};
      note = id + padded(head.n_descsz);
    }
  }
  return "";
}

// Hash of all shared libraries in this process, independent of their order.
std::string HashOfLoadedLibraries() {
  std::set<std::string> libraries;
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* found) {
        const std::string file = std::filesystem::path(library->dlpi_name).filename();
        // The executable has no name, and the library of the kernel is not a file.
        if (!file.empty() && file.rfind("linux-vdso", 0) != 0)
          static_cast<std::set<std::string>*>(found)->insert(file + BuildId(*library));
        return 0;
      },
      &libraries);
  std::string text;
  for (const std::string& library : libraries) text += library + "\n";
  return Sha1(text);
}

// Computed before main, because plug-ins are loaded later and not by every command.
const std::string kLoadedLibraries = HashOfLoadedLibraries();

std::vector<PluginRecord> loaded_plugins;

}  // namespace

std::string HostName() {
  utsname system{};
  uname(&system);
  return system.nodename;
}

MachineRecord ThisMachine() {
  utsname system{};
  uname(&system);
  double load = NAN;
  getloadavg(&load, 1);
  return {
      .hosts = {HostName()},
      .cpu = FieldOf("/proc/cpuinfo", "model name", ':'),
      .cores = static_cast<int>(UsableProcessors().size()),
      .memory_bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE),
      .kernel = std::string(system.sysname) + " " + system.release,
      .os = FieldOf("/etc/os-release", "PRETTY_NAME", '='),
      .load_average = IfFinite(load)};
}

BuildRecord ThisBuild(const std::string& binary_hash) {
  const auto version = [](int major, int minor, int patch) {
    return fmt::format("{}.{}.{}", major, minor, patch);
  };
  const auto thresholds = kThresholds.Named();
  return {.version = kVersion,
          .commit = kCommit,
          .compiler = kCompiler,
          .flags = kFlags,
          .preset = kPreset,
          .binary_hash = binary_hash,
          .loaded_libraries = kLoadedLibraries,
          .plugins = LoadedPlugins(),
          .libraries =
              {{{"Eigen", version(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
                {"SUNDIALS", kSundialsVersion},
                {"Boost",
                 version(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
                {"SQLite", sqlite3_libversion()},
                {"fmt", version(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
                {"CLI11", CLI11_VERSION},
                {"nlohmann-json", version(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                          NLOHMANN_JSON_VERSION_PATCH)}}},
          .thresholds = {{thresholds.begin(), thresholds.end()}}};
}

std::string MachineIdentity() {
  return fmt::format("{} x {}, libraries {}", UsableProcessors().size(),
                     FieldOf("/proc/cpuinfo", "model name", ':'), kLoadedLibraries);
}

void NotePlugin(PluginRecord plugin) { loaded_plugins.push_back(std::move(plugin)); }

const std::vector<PluginRecord>& LoadedPlugins() {
  for (PluginRecord& plugin : loaded_plugins) {
    if (plugin.sha1.empty()) plugin.sha1 = Sha1OfFiles(FilesOfPlugin(plugin.file));
  }
  return loaded_plugins;
}

std::vector<std::filesystem::path> FilesOfPlugin(const std::filesystem::path& library) {
  std::vector<std::filesystem::path> files{library};
  const auto loaded = std::ranges::find(loaded_plugins, std::filesystem::absolute(library).string(),
                                        &PluginRecord::file);
  if (loaded != loaded_plugins.end())
    files.insert(files.end(), loaded->depends_on.begin(), loaded->depends_on.end());
  return files;
}

std::string HashOfBinary(const std::vector<std::filesystem::path>& plugins) {
  std::vector<std::filesystem::path> files{"/proc/self/exe"};
  for (const std::filesystem::path& plugin : plugins) {
    for (std::filesystem::path& file : FilesOfPlugin(plugin)) files.push_back(std::move(file));
  }
  return Sha1OfFiles(files);
}

std::string Version() {
  return fmt::format("mbsbench {}\ncommit {}\nstore schema {}\nplug-in ABI {}", kVersion, kCommit,
                     kSchemaVersion, kPluginAbi);
}

}  // namespace mbsbench
