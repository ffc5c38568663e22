// The command line of mbsbench, for whatever methods an executable is linked with.
#pragma once

#include <vector>

#include "methods/interface/method.h"

namespace mbsbench {

int CommandLine(int argc, char** argv, std::vector<MethodEntry> methods);

}  // namespace mbsbench
