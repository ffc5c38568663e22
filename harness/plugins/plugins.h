#pragma once

#include <filesystem>
#include <vector>

#include "harness/runner/guarded_method.h"
#include "methods/interface/method.h"

namespace mbsbench {

// Loads a plug-in into this process and returns its methods; the library stays loaded until the process
// ends. Throws ModelError, one sentence that names the file, when the file is absent, is no plug-in,
// was built with another ABI, compiler or standard library, or lists a method that cannot be used: a
// key or option that is not of lower-case letters, digits and hyphens or that occurs twice, a text with
// control characters, a function that is missing.
std::vector<MethodEntry> LoadPlugin(const std::filesystem::path& file);

// The same for the process that the user started: the file is loaded by a copy of it first, so that one
// which crashes, hangs or leaves while it is loaded is refused by a sentence too; the methods are
// Guarded.
std::vector<MethodEntry> LoadGuardedPlugin(const std::filesystem::path& file,
                                           double seconds = kPluginSeconds);

// Whether this process holds foreign code. What that left to be done at the end of the process
// (destructors of static objects) is better not run: std::_Exit.
bool HasLoadedPlugins();

}  // namespace mbsbench
