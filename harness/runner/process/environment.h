// The machine and the build of this process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/records/run_record.h"

namespace mbsbench {

// Measures the speed.
MachineRecord ThisMachine();
// Includes the plug-ins loaded so far.
BuildRecord ThisBuild(const std::string& binary_hash);

std::string HostName();
// What follows `field` and `separator` in the first line of a file that begins with the field; "unknown" without one.
std::string FieldOf(const char* file, const std::string& field, char separator);

// Identifies the machine in the key of a trial: processor, number of cores and shared libraries. An update of the kernel
// changes none of them.
std::string MachineIdentity();
// The plug-ins and engines that this process has loaded. A missing hash is computed on demand.
void NotePlugin(PluginRecord plugin);
const std::vector<PluginRecord>& LoadedPlugins();
// The library, and the further files on which it depends if this process has loaded it.
std::vector<std::filesystem::path> FilesOfPlugin(const std::filesystem::path& library);

// SHA-1 of this executable and of the plug-ins with methods.
std::string HashOfBinary(const std::vector<std::filesystem::path>& plugins);

// Version, commit, store schema and plug-in ABI, a line each.
std::string Version();

}  // namespace mbsbench
