// Robot files given as text, read through their plug-ins.
#pragma once

#include <fstream>
#include <string>

#include "problems/io/model_file.h"
#include "problems/io/robot_file.h"
#include "problems/io/robot_plugins.h"
#include "problems/model/problem.h"
#include "tests/support/command.h"

namespace mbsbench {

inline bool HasReader(const std::string& key) {
  for (const RobotFormat& format : RobotFormats()) {
    if (format.key == key) return !ReaderOf(format).empty();
  }
  return false;
}

inline Problem ReadText(const std::string& ending, const std::string& text,
                        const std::string& state = "") {
  const TemporaryFolder folder;
  std::ofstream(folder.File("robot" + ending)) << text;
  RobotOptions options;
  if (!state.empty()) {
    options.state = folder.File("state.json");
    std::ofstream(options.state) << R"({"format": "mbsbench-robot-state", "version": 1, )" + state +
                                        "}";
  }
  return LoadProblem(WithRobotOptions(folder.File("robot" + ending), options));
}

inline std::string SentenceOf(const std::string& ending, const std::string& text,
                              const std::string& state = "") {
  try {
    ReadText(ending, text, state);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace mbsbench
