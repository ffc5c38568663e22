#include "harness/runner/loaded_plugins.h"

#include <utility>

#include "harness/store/sha1.h"

namespace mbsbench {

namespace {

std::vector<PluginRecord> loaded_plugins;

}  // namespace

void NotePlugin(PluginRecord plugin) { loaded_plugins.push_back(std::move(plugin)); }

const std::vector<PluginRecord>& LoadedPlugins() {
  for (PluginRecord& plugin : loaded_plugins) {
    if (plugin.sha1.empty()) plugin.sha1 = Sha1OfFiles({plugin.file});
  }
  return loaded_plugins;
}

}  // namespace mbsbench
