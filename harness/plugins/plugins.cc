#include "harness/plugins/plugins.h"

#include <dlfcn.h>

#include <cstring>
#include <string>

#include "methods/interface/plugin.h"
#include "problems/model/error.h"

namespace mbsbench {

std::vector<MethodEntry> LoadPlugin(const std::filesystem::path& file) {
  const auto refuse = [&file](const std::string& why) {
    throw ModelError("plug-in '" + file.string() + "' " + why);
  };
  if (!std::filesystem::is_regular_file(file)) refuse("does not exist or is not a file.");
  // A bare file name would be looked for in the system's library folders.
  void* const library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse(std::string("cannot be loaded: ") + dlerror() + ".");
  using Entry = const PluginInfo* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "mbsbench_plugin"));
  if (entry == nullptr) {
    dlclose(library);
    refuse("is no mbsbench plug-in: it does not export mbsbench_plugin (see MBSBENCH_PLUGIN).");
  }
  const PluginInfo* const info = entry();
  if (info->abi != kPluginAbi) {
    refuse("speaks plug-in ABI " + std::to_string(info->abi) + ", this mbsbench " +
           std::to_string(kPluginAbi) + ": rebuild it against this version.");
  }
  if (std::strcmp(info->build, kPluginBuild) != 0 || info->system_size != sizeof(System) ||
      info->entry_size != sizeof(MethodEntry)) {
    refuse(std::string("was built with ") + info->build + ", this mbsbench with " + kPluginBuild +
           ": rebuild it with the same compiler and headers.");
  }
  std::vector<MethodEntry> methods;
  info->add_methods(methods);
  if (methods.empty()) refuse("lists no method.");
  return methods;
}

}  // namespace mbsbench
