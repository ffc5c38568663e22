#include "harness/plugins/engines.h"

#include <fnmatch.h>

#include <algorithm>

#include "problems/model/error.h"

namespace mbsbench {

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
    bool is_asked_for = specs.empty(), is_named = false;
    for (const std::string& spec : specs) {
      const std::string key = spec.substr(0, spec.find(':'));
      is_named = is_named || key == engine.key;
      is_asked_for = is_asked_for || fnmatch(key.c_str(), engine.key.c_str(), 0) == 0;
    }
    const auto is_engine = [&engine](const MethodEntry& m) { return m.key == engine.key; };
    if (!is_asked_for || std::ranges::any_of(methods, is_engine)) continue;
    const std::filesystem::path file = PluginOf(engine);
    if (file.empty()) {
      if (!is_named) continue;
      throw ModelError("engine '" + engine.key + "' is absent: " + HowToGet(engine) + ".");
    }
    try {
      for (MethodEntry& entry : load(file).methods) methods.push_back(std::move(entry));
      loaded.plugins[engine.key] = file;
    } catch (const ModelError& error) {
      if (is_named) throw;
      loaded.failures[engine.key] = error.what();
    }
  }
  return loaded;
}

}  // namespace mbsbench
