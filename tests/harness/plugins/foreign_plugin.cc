// A plug-in of this ABI that another compiler built.
#include "methods/interface/plugin.h"

const mbsbench::PluginInfo* mbsbench_plugin() {
  static const mbsbench::PluginInfo info{
      mbsbench::kPluginAbi,          "another compiler",        sizeof(mbsbench::System),
      sizeof(mbsbench::MethodEntry), sizeof(mbsbench::Problem), "foreign",
      [](mbsbench::PluginParts&) {}};
  return &info;
}
