// Engines that people really use, as methods beside ours: plug-ins that come with mbsbench. The
// build makes one where the engine's package is installed; a process loads it where its key is
// asked for, and not before, because an engine takes milliseconds to link.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "methods/interface/method.h"

namespace mbsbench {

struct Engine {
  std::string key;      // of its method
  std::string title;    // "Simbody"
  std::string package;  // Debian's
};
const std::vector<Engine>& KnownEngines();

// The plug-in beside this executable, or where it was installed; empty where none was built.
std::filesystem::path PluginOf(const Engine& engine);

// "install libsimbody-dev and rebuild": what brings an engine that is absent.
std::string HowToGet(const Engine& engine);

// What became of the engines that were asked for, by key.
struct LoadedEngines {
  std::map<std::string, std::filesystem::path> plugins;  // those loaded
  std::map<std::string, std::string> failures;           // sentences on those that cannot be loaded
};

// Adds the methods of the engines that `specs` ask for, which are method specs or globs over them;
// none asks for all. Keys that are there already are left alone. Throws ModelError where an engine is
// asked for by name and is absent or cannot be loaded.
using PluginLoader = std::function<std::vector<MethodEntry>(const std::filesystem::path&)>;
LoadedEngines LoadEngines(const std::vector<std::string>& specs, const PluginLoader& load,
                          std::vector<MethodEntry>& methods);

}  // namespace mbsbench
