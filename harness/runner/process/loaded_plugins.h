// The plug-ins and engines that this process has loaded; the records of runs list them.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/records/run_record.h"

namespace mbsbench {

// A missing hash is computed on demand.
void NotePlugin(PluginRecord plugin);
const std::vector<PluginRecord>& LoadedPlugins();

// The library, and the further files on which it depends if this process has loaded it.
std::vector<std::filesystem::path> FilesOfPlugin(const std::filesystem::path& library);

}  // namespace mbsbench
