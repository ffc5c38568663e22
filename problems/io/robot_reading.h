// The result of a reader plug-in for a robot file, and its encoding for a pipe.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "problems/io/robot_description.h"

namespace mbsbench {

struct RobotReading {
  RobotDescription robot;
  std::string refused;      // why the file cannot be read; empty: it can
  std::string unsupported;  // elements that the model cannot represent
};

// Preserves every bit. Throws std::exception if the bytes are not a valid encoding.
std::string Encoded(const RobotReading& reading);
RobotReading DecodedReading(std::string_view bytes);

// Encodes what `read` returns or throws for a file: the body of a plug-in's only function.
std::string EncodedReading(const char* file, const std::function<RobotDescription()>& read);

}  // namespace mbsbench

// The only function that a reader exports. Its name changes with the binary interface.
#define MBSBENCH_ROBOT_READER_FUNCTION "mbsbench_read_robot_3"
extern "C" __attribute__((visibility("default"))) void mbsbench_read_robot_3(const char* file,
                                                                             std::string* bytes);
