// Readers of robot files that need a library of their own: plug-ins that the build makes where the library is
// installed. A copy of the process loads the plug-in and reads the file, so that neither the library
// nor what a bad file does to it reaches this process.
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

// The plug-in beside this executable, or where it was installed; empty if none was built.
std::filesystem::path ReaderOf(const RobotFormat& format);

// Throws ModelError, one sentence, where the file cannot be read or the reader is absent.
RobotDescription ReadByPlugin(const std::string& key, const std::string& file);

}  // namespace mbsbench
