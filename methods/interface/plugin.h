// Methods in a shared library of their own. A plug-in lists its methods once:
//
//   MBSBENCH_PLUGIN("my plug-in", MyMethodEntry(), MyOtherMethodEntry())
//
// and is loaded with `mbsbench --plugin FILE`. What it was built with has to match, because plain
// C++ structs cross the border.
#pragma once

#include <vector>

#include "methods/interface/method.h"

namespace mbsbench {

// Raised whenever a header of problems/model or methods/interface changes what crosses the border.
inline constexpr int kPluginAbi = 9;

// Compiler and library that laid out the structs.
inline constexpr const char* kPluginBuild = "compiler " __VERSION__
#ifdef _GLIBCXX_USE_CXX11_ABI
                                            ", libstdc++ with the C++11 ABI"
#endif
    ;

struct PluginInfo {
  int abi;            // kPluginAbi, as the plug-in saw it
  const char* build;  // kPluginBuild, as the plug-in saw it
  std::size_t system_size, entry_size;
  const char* name;
  void (*add_methods)(std::vector<MethodEntry>& methods);
};

}  // namespace mbsbench

// The one symbol that a plug-in exports.
extern "C" __attribute__((visibility("default"))) const mbsbench::PluginInfo* mbsbench_plugin();

#define MBSBENCH_PLUGIN(plugin_name, ...)                                                         \
  const mbsbench::PluginInfo* mbsbench_plugin() {                                                 \
    static const mbsbench::PluginInfo info{                                                       \
        mbsbench::kPluginAbi,                                                                     \
        mbsbench::kPluginBuild,                                                                   \
        sizeof(mbsbench::System),                                                                 \
        sizeof(mbsbench::MethodEntry),                                                            \
        plugin_name,                                                                              \
        [](std::vector<mbsbench::MethodEntry>& methods) {                                         \
          for (mbsbench::MethodEntry & entry : std::vector<mbsbench::MethodEntry>{__VA_ARGS__}) { \
            methods.push_back(std::move(entry));                                                  \
          }                                                                                       \
        }};                                                                                       \
    return &info;                                                                                 \
  }                                                                                               \
  static_assert(true, "")
