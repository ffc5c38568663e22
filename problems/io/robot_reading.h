// What a reader in a plug-in says of a robot file, and its way through a pipe.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "problems/io/robot_description.h"

namespace mbsbench {

struct RobotReading {
  RobotDescription robot;
  std::string refused;      // why the file cannot be read; empty: it is read
  std::string unsupported;  // what in it the model cannot represent
};

// Every bit is kept. Throws std::exception where the bytes are no reading.
std::string Encoded(const RobotReading& reading);
RobotReading DecodedReading(std::string_view bytes);

// What `read` returns or throws of a file, encoded: the work of a plug-in's one function.
std::string EncodedReading(const char* file, const std::function<RobotDescription()>& read);

}  // namespace mbsbench

// The one function that a reader exports. Its name changes with what crosses the border.
#define MBSBENCH_ROBOT_READER_FUNCTION "mbsbench_read_robot_2"
extern "C" __attribute__((visibility("default"))) void mbsbench_read_robot_2(const char* file,
                                                                             std::string* bytes);
