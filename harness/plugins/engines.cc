#include "harness/plugins/engines.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "harness/store/store.h"
#include "problems/model/error.h"

namespace mbsbench {

const std::vector<Engine>& KnownEngines() {
  static const std::vector<Engine> engines{
      {"simbody", "Simbody", "libsimbody-dev", "3.7", "2019-12"},
      {"mujoco", "MuJoCo", "libmujoco-dev", "2.2.2", "2022-09-07"},
      {"mujoco-node", "MuJoCo in WebAssembly", "@mujoco/mujoco", "3.14.0", "2026-09-22"},
      {"dart", "DART", "libdart-dev", "6.12.1", "2021-11-04"},
      {"kdl", "Orocos KDL", "liborocos-kdl-dev", "1.5.1", "2021-09-12"},
      {"bullet", "Bullet", "libbullet-dev", "3.24", "2022-04-25"},
      {"open-dynamics", "Open Dynamics Engine", "libode-dev", "0.16.2", "2020-07-28"},
      {"siconos", "Siconos", "libsiconos-mechanics-dev", "4.4.0", "2021-09-07"},
  };
  return engines;
}

std::string DatedTitle(const Engine& engine, const std::string& title, const std::string& today) {
  if (!title.ends_with(" " + engine.version)) return title + " (release date unknown)";
  const std::string two_years_ago = fmt::format("{:04}", std::stoi(today) - 2) + today.substr(4);
  const bool is_old = engine.release < two_years_ago.substr(0, engine.release.size());
  return fmt::format("{} ({}{})", title, engine.release, is_old ? ", over two years old" : "");
}

std::filesystem::path PluginOf(const Engine& engine) {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* folder : {"engines", MBSBENCH_INSTALLED_ENGINES}) {
    std::filesystem::path file = here / folder / ("mbsbench_" + engine.key + ".so");
    if (std::filesystem::is_regular_file(file)) return file;
  }
  return {};
}

std::string HowToGet(const Engine& engine) {
  if (engine.package.starts_with('@'))
    return "install nodejs and npm, call 'make packages-all' and rebuild";
  return "install " + engine.package + " and rebuild";
}

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
      for (MethodEntry& entry : load(file).methods) {
        entry.title = DatedTitle(engine, entry.title, UtcNow().substr(0, 10));
        methods.push_back(std::move(entry));
      }
      loaded.plugins[engine.key] = file;
    } catch (const ModelError& error) {
      if (is_named) throw;
      loaded.failures[engine.key] = error.what();
    }
  }
  return loaded;
}

std::optional<ModelReading> ReadByEngine(const std::filesystem::path& plugin,
                                         const std::string& file) {
  void* const library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw ModelError(dlerror());
  const auto read = reinterpret_cast<decltype(&mbsbench_read_model_1)>(
      dlsym(library, MBSBENCH_MODEL_READER_FUNCTION));
  if (read == nullptr) return std::nullopt;
  ModelReading reading;
  read(file.c_str(), &reading);
  return reading;
}

}  // namespace mbsbench
