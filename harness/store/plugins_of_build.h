// What a build says of its plug-ins ("plugins" in table `run`, column `build`), in sentences.
#pragma once

#include <string>
#include <vector>

#include "harness/records/run_record.h"

namespace mbsbench {

// Adds the plug-ins of `from` that `build` lacks: those of a later command, or of another shard, with other methods.
void AddPlugins(const BuildRecord& from, BuildRecord& build);

// One for each plug-in that was built without optimisation.
std::vector<std::string> PluginWarnings(const BuildRecord& build);

// One for each plug-in that only one of them has, or that differs in its file or its flags. Nothing where one of them, by an older
// version, does not list any.
std::vector<std::string> PluginDifferences(const BuildRecord& a, const BuildRecord& b);

}  // namespace mbsbench
