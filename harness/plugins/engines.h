// Widely used engines as additional methods, in plug-ins that come with mbsbench. The build makes a
// plug-in if the engine's package is installed. A process loads it only when its key is requested,
// because an engine takes milliseconds to link.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "methods/interface/plugin.h"

namespace mbsbench {

struct Engine {
  std::string key;      // of its method
  std::string title;    // "Simbody"
  std::string package;  // Debian's
};
const std::vector<Engine>& KnownEngines();

// The plug-in in the folder of this executable, or where it was installed; empty if none was built.
std::filesystem::path PluginOf(const Engine& engine);

// "install libsimbody-dev and rebuild": how to get a missing engine.
std::string HowToGet(const Engine& engine);

// The result for each requested engine, by key.
struct LoadedEngines {
  std::map<std::string, std::filesystem::path> plugins;  // those loaded
  std::map<std::string, std::string> failures;           // why the others cannot be loaded
};

// Adds the methods of the engines requested by `specs`, which are method specs or globs; no specs
// request all. Existing keys are not changed. Throws ModelError if an engine requested by name is
// missing or cannot be loaded.
using PluginLoader = std::function<PluginParts(const std::filesystem::path&)>;
LoadedEngines LoadEngines(const std::vector<std::string>& specs, const PluginLoader& load,
                          std::vector<MethodEntry>& methods);

}  // namespace mbsbench
