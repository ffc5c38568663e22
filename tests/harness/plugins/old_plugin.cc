// A plug-in of another ABI.
#include "methods/interface/plugin.h"

const mbsbench::PluginInfo* mbsbench_plugin() {
  static const mbsbench::PluginInfo info{0, "", 0, 0, 0, "old", [](mbsbench::PluginParts&) {}};
  return &info;
}
