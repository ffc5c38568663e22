// Readers of robot files that need an additional library: plug-ins, built if the library is installed. A
// child process loads the plug-in and reads the file, so that neither the library nor a crash on a malformed
// file affects this process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "problems/io/robot_description.h"

namespace mbsbench {

struct RobotFormat {
  std::string key;      // of the plug-in: "sdf"
  std::string title;    // "SDF"
  std::string package;  // Debian's, with the library
};
const std::vector<RobotFormat>& RobotFormats();

// The plug-in in the folder of this executable, or where it was installed; empty if none was built.
std::filesystem::path ReaderOf(const RobotFormat& format);

// Throws ModelError, one sentence, if the file cannot be read or the reader is absent.
RobotDescription ReadByPlugin(const std::string& key, const std::string& file);

}  // namespace mbsbench
