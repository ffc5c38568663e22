// Widely used engines as additional methods, in plug-ins that come with mbsbench. The build makes a
// plug-in if the engine's package is installed. A process loads it only when its key is requested,
// because an engine takes milliseconds to link.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "methods/interface/plugin.h"
#include "problems/model/model_reading.h"

namespace mbsbench {

struct Engine {
  std::string key;      // of its method
  std::string title;    // "Simbody"
  std::string package;  // Debian's, or npm's: "@scope/name"
  std::string version;  // that of Debian 12 or of our lock file, "3.7", and the date of its
  std::string release;  // release, "2019-12" or with the day
};
// The dates are those of changelogs (Simbody, MuJoCo, DART and ODE in /usr/share/doc, KDL in its repository), of the release notes
// (MuJoCo in WebAssembly), of a tag (Siconos) and of the encyclopedia article (Bullet).
const std::vector<Engine>& KnownEngines();

// "Simbody 3.7 (2019-12, over two years old)": the title of the engine's method with the age that its version has on a day like
// "2026-11-28".
std::string DatedTitle(const Engine& engine, const std::string& title, const std::string& today);

// The plug-in in the folder of this executable, or where it was installed; empty if none was built.
std::filesystem::path PluginOf(const Engine& engine);

// "install libsimbody-dev and rebuild": how to get a missing engine.
std::string HowToGet(const Engine& engine);
// How to replace an engine that is present by a newer one.
inline constexpr char kHowToGetNewer[] =
    "build it, then 'cmake --fresh -DCMAKE_PREFIX_PATH=FOLDER' (docs/engines.md)";

// The result for each requested engine, by key.
struct LoadedEngines {
  std::map<std::string, std::filesystem::path> plugins;  // those loaded
  std::map<std::string, std::string> failures;           // why the others cannot be loaded
};

// Adds the methods, with dated titles, of the engines requested by `specs`, which are method specs or globs; no specs
// request all. Existing keys are not changed. Throws ModelError if an engine requested by name is
// missing or cannot be loaded.
using PluginLoader = std::function<PluginParts(const std::filesystem::path&)>;
LoadedEngines LoadEngines(const std::vector<std::string>& specs, const PluginLoader& load,
                          std::vector<MethodEntry>& methods);

// What the own reader of the engine in this plug-in makes of a model file; empty if it has none. The reader may crash: call this in a
// copy of the process.
std::optional<ModelReading> ReadByEngine(const std::filesystem::path& plugin,
                                         const std::string& file);

}  // namespace mbsbench
