// The plug-ins that this process has loaded, engines among them: part of what its results were made by.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/store/store.h"

namespace mbsbench {

struct LoadedPlugin {
  std::string name;
  std::filesystem::path file;
  std::string build, flags;  // as it says itself; a library in another language says nothing
  std::vector<std::string> methods, problems;  // keys, names of families
};

void NotePlugin(LoadedPlugin plugin);
const std::vector<LoadedPlugin>& LoadedPlugins();

// One object each, as of "plugins" in DOCUMENTS.md.
Json PluginDocuments();

}  // namespace mbsbench
