// The plug-ins that this process has loaded, engines among them: part of what its results were made by.
#pragma once

#include <vector>

#include "harness/records/run_record.h"

namespace mbsbench {

// Its hash may wait until it is asked for.
void NotePlugin(PluginRecord plugin);
const std::vector<PluginRecord>& LoadedPlugins();

}  // namespace mbsbench
