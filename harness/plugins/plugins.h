#pragma once

#include <filesystem>
#include <vector>

#include "methods/interface/method.h"

namespace mbsbench {

// Loads a plug-in and returns its methods; the library stays loaded until the process ends. Throws
// ModelError, one sentence, when the file is absent, is no plug-in, or was built with another ABI,
// compiler or standard library.
std::vector<MethodEntry> LoadPlugin(const std::filesystem::path& file);

}  // namespace mbsbench
