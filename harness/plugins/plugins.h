#pragma once

#include <filesystem>
#include <string>

#include "harness/runner/process/guarded_method.h"
#include "methods/interface/plugin.h"

namespace mbsbench {

// Loads a plug-in into this process and returns its methods and problems; the library stays loaded until the
// process ends. Throws ModelError, one sentence that names the file, if the file is missing, is not a
// plug-in, was built with another ABI, compiler or standard library, or lists a method or problem that
// cannot be used: a key or option that is not of lower-case letters, digits and hyphens or that occurs
// twice, a function that is missing, a smallest instance that is not a valid
// problem. So does a family's `build` where what it builds is none.
PluginParts LoadPlugin(const std::filesystem::path& file);

// Loads a plug-in into the process that the user started. A copy of the process loads the file first, so
// that a plug-in that crashes, hangs or exits while loading is refused with a sentence too. The
// methods are Guarded, and each problem is built by a copy of the process first.
PluginParts LoadGuardedPlugin(const std::filesystem::path& file, double seconds = kPluginSeconds);

// Whether a method or an option may have this key: a letter, then letters, digits and hyphens, in lower
// case, no hyphen at the end and at most 50 characters.
bool IsKey(const std::string& text);

// Whether this process has loaded foreign code. Its destructors of static objects should not run at
// the end of the process: use std::_Exit.
bool HasLoadedPlugins();

}  // namespace mbsbench
