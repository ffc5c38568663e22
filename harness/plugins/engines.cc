#include "harness/plugins/engines.h"

#include <fnmatch.h>

#include <algorithm>

#include "problems/model/error.h"

namespace mbsbench {

namespace {

enum class Asked { kNot, kAmongOthers, kByName };

Asked IsAskedFor(const Engine& engine, const std::vector<std::string>& specs) {
  Asked asked = specs.empty() ? Asked::kAmongOthers : Asked::kNot;
  for (const std::string& spec : specs) {
    const std::string key = spec.substr(0, spec.find(':'));
    if (key == engine.key) return Asked::kByName;
    if (fnmatch(key.c_str(), engine.key.c_str(), 0) == 0) asked = Asked::kAmongOthers;
  }
  return asked;
}

}  // namespace

const std::vector<Engine>& KnownEngines() {
  static const std::vector<Engine> engines{
      {"simbody", "Simbody", "libsimbody-dev"},
      {"mujoco", "MuJoCo", "libmujoco-dev"},
      {"dart", "DART", "libdart-dev"},
  };
  return engines;
}

std::filesystem::path PluginOf(const Engine& engine) {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* folder : {"engines", MBSBENCH_INSTALLED_ENGINES}) {
    std::filesystem::path file = here / folder / ("mbsbench_" + engine.key + ".so");
    if (std::filesystem::is_regular_file(file)) return file;
  }
  return {};
}

std::string HowToGet(const Engine& engine) { return "install " + engine.package + " and rebuild"; }

LoadedEngines LoadEngines(const std::vector<std::string>& specs, const PluginLoader& load,
                          std::vector<MethodEntry>& methods) {
  LoadedEngines loaded;
  for (const Engine& engine : KnownEngines()) {
    const Asked asked = IsAskedFor(engine, specs);
    if (asked == Asked::kNot ||
        std::any_of(methods.begin(), methods.end(),
                    [&engine](const MethodEntry& m) { return m.key == engine.key; })) {
      continue;
    }
    const std::filesystem::path file = PluginOf(engine);
    if (file.empty()) {
      if (asked == Asked::kAmongOthers) continue;
      throw ModelError("engine '" + engine.key + "' is absent: " + HowToGet(engine) + ".");
    }
    try {
      for (MethodEntry& entry : load(file).methods) methods.push_back(std::move(entry));
      loaded.plugins[engine.key] = file;
    } catch (const ModelError& error) {
      if (asked == Asked::kByName) throw;
      loaded.failures[engine.key] = error.what();
    }
  }
  return loaded;
}

}  // namespace mbsbench
