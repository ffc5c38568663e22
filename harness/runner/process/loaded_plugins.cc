#include "harness/runner/process/loaded_plugins.h"

#include <utility>

#include "harness/store/sha1.h"

namespace mbsbench {

namespace {

std::vector<PluginRecord> loaded_plugins;

}  // namespace

void NotePlugin(PluginRecord plugin) { loaded_plugins.push_back(std::move(plugin)); }

const std::vector<PluginRecord>& LoadedPlugins() {
  for (PluginRecord& plugin : loaded_plugins) {
    if (plugin.sha1.empty()) plugin.sha1 = Sha1OfFiles(FilesOfPlugin(plugin.file));
  }
  return loaded_plugins;
}

std::vector<std::filesystem::path> FilesOfPlugin(const std::filesystem::path& library) {
  std::vector<std::filesystem::path> files{library};
  for (const PluginRecord& plugin : loaded_plugins) {
    if (plugin.file != std::filesystem::absolute(library)) continue;
    files.insert(files.end(), plugin.depends_on.begin(), plugin.depends_on.end());
    break;
  }
  return files;
}

}  // namespace mbsbench
