// A matching plug-in without methods and problems.
#include "methods/interface/plugin.h"

const mbsbench::PluginInfo* mbsbench_plugin() {
  static const mbsbench::PluginInfo info{
      mbsbench::kPluginAbi,          mbsbench::kPluginBuild,    sizeof(mbsbench::System),
      sizeof(mbsbench::MethodEntry), sizeof(mbsbench::Problem), "empty",
      [](mbsbench::PluginParts&) {}};
  return &info;
}
