#include "harness/runner/loaded_plugins.h"

#include <utility>

#include "harness/store/sha1.h"
#include "methods/interface/plugin.h"

namespace mbsbench {

namespace {

std::vector<LoadedPlugin> loaded_plugins;

}  // namespace

void NotePlugin(LoadedPlugin plugin) { loaded_plugins.push_back(std::move(plugin)); }

const std::vector<LoadedPlugin>& LoadedPlugins() { return loaded_plugins; }

Json PluginDocuments() {
  Json documents = Json::array();
  for (const LoadedPlugin& plugin : loaded_plugins) {
    const auto text = [](const std::string& known) {
      return known.empty() ? Json(nullptr) : Json(known);
    };
    documents.push_back(
        {{"name", plugin.name},
         {"file", plugin.file.string()},
         {"sha1", Sha1OfFiles({plugin.file})},
         {"build", text(plugin.build)},
         {"flags", text(plugin.flags)},
         {"optimised",
          plugin.flags.empty() ? Json(nullptr) : Json(!plugin.flags.starts_with(kNotOptimised))},
         {"methods", plugin.methods},
         {"problems", plugin.problems}});
  }
  return documents;
}

}  // namespace mbsbench
