// The plug-ins of a build ("plugins" in table `run`, column `build`), and sentences about them.
#pragma once

#include <string>
#include <vector>

#include "harness/records/run_record.h"

namespace mbsbench {

// Adds the plug-ins of `from` that `build` lacks: those of a later command, or of another shard, with other methods.
void AddPlugins(const BuildRecord& from, BuildRecord& build);

// One sentence for each plug-in that was built without optimisation.
std::vector<std::string> PluginWarnings(const BuildRecord& build);

// A sentence that names the plug-ins that only one of the builds has, or whose files differ; empty if there are none, and if one
// of the builds comes from an older version, which lists no plug-ins.
std::string PluginDifferences(const BuildRecord& a, const BuildRecord& b);

}  // namespace mbsbench
