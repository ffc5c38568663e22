#include "harness/store/plugins_of_build.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace mbsbench {

namespace {

std::map<std::string, const PluginRecord*> PluginsByName(const BuildRecord& build) {
  std::map<std::string, const PluginRecord*> plugins;
  for (const PluginRecord& plugin : OrNone(build.plugins)) plugins[plugin.name] = &plugin;
  return plugins;
}

}  // namespace

void AddPlugins(const BuildRecord& from, BuildRecord& build) {
  for (const PluginRecord& plugin : OrNone(from.plugins)) {
    if (!build.plugins) build.plugins.emplace();
    const auto is_same = [&plugin](const PluginRecord& known) {
      return known.name == plugin.name && known.sha1 == plugin.sha1;
    };
    if (std::ranges::none_of(*build.plugins, is_same)) build.plugins->push_back(plugin);
  }
}

std::vector<std::string> PluginWarnings(const BuildRecord& build) {
  std::vector<std::string> sentences;
  for (const auto& [name, plugin] : PluginsByName(build)) {
    if (plugin->optimised.value_or(true)) continue;
    sentences.push_back(
        fmt::format("the plug-in '{}' was built without optimisation, so the times of {} are not "
                    "representative: rebuild it with -O2 or more.",
                    name,
                    plugin->methods.empty() ? "its methods"
                                            : fmt::format("{}", fmt::join(plugin->methods, ", "))));
  }
  return sentences;
}

std::vector<std::string> PluginDifferences(const BuildRecord& a, const BuildRecord& b) {
  std::vector<std::string> sentences;
  if (!a.plugins || !b.plugins) return sentences;
  const auto of_a = PluginsByName(a), of_b = PluginsByName(b);
  for (const auto& [name, plugin] : of_a) {
    const auto other = of_b.find(name);
    if (other == of_b.end()) {
      sentences.push_back(fmt::format("the plug-in '{}' was loaded only in A.", name));
      continue;
    }
    const auto compare = [&](const char* what, const std::string& before,
                             const std::string& after) {
      const auto text = [](const std::string& value) {
        return value.empty() ? "not stated" : value;
      };
      if (before != after)
        sentences.push_back(fmt::format("the plug-in '{}' has other {}: {} and {}.", name, what,
                                        text(before), text(after)));
    };
    compare("files", plugin->sha1, other->second->sha1);
    compare("flags", plugin->flags, other->second->flags);
  }
  for (const auto& [name, plugin] : of_b) {
    if (of_a.count(name) == 0)
      sentences.push_back(fmt::format("the plug-in '{}' was loaded only in B.", name));
  }
  return sentences;
}

}  // namespace mbsbench
