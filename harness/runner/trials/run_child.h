// Carries out the request to the process of a trial.
#pragma once

#include <string>
#include <vector>

#include "harness/runner/process/child.h"

namespace mbsbench {

// Carries out the request and writes the result to kRecordDescriptor. Returns the exit code.
int RunChild(const std::string& request, const std::vector<MethodEntry>& methods);

}  // namespace mbsbench
