// Where and by what a run was made.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/records/run_record.h"

namespace mbsbench {

// With the speed measured now.
MachineRecord ThisMachine();
// With the plug-ins loaded so far.
BuildRecord ThisBuild(const std::string& binary_hash);

std::string HostName();
// What follows `field` and `separator` in the first line of a file that begins with the field; "unknown" without one.
std::string FieldOf(const char* file, const std::string& field, char separator);

// What identifies a machine in the key of a trial: processor, number of cores and shared libraries. A kernel's update
// changes none of them.
std::string MachineIdentity();
// SHA-1 of this executable and of the plug-ins that bring methods.
std::string HashOfBinary(const std::vector<std::filesystem::path>& plugins);

std::string Version();

}  // namespace mbsbench
