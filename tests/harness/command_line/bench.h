// Runs mbsbench with the real methods.
#pragma once

#include <string>
#include <vector>

#include "tests/support/command.h"

namespace mbsbench {

inline CommandResult Bench(const std::vector<std::string>& arguments) {
  return RunCommand(MBSBENCH_EXECUTABLE, arguments);
}

}  // namespace mbsbench
