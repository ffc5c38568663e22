// The plug-ins and engines that this process has loaded; the records of runs list them.
#pragma once

#include <vector>

#include "harness/records/run_record.h"

namespace mbsbench {

// A missing hash is computed on demand.
void NotePlugin(PluginRecord plugin);
const std::vector<PluginRecord>& LoadedPlugins();

}  // namespace mbsbench
