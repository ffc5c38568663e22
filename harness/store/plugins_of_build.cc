#include "harness/store/plugins_of_build.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

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

std::string PluginDifferences(const BuildRecord& a, const BuildRecord& b) {
  if (!a.plugins || !b.plugins) return "";
  std::set<std::string> names;
  for (const auto& [one, other] : {std::pair{&a, &b}, {&b, &a}}) {
    const auto known = PluginsByName(*other);
    for (const auto& [name, plugin] : PluginsByName(*one)) {
      const auto found = known.find(name);
      if (found == known.end() || found->second->sha1 != plugin->sha1) names.insert(name);
    }
  }
  return names.empty() ? "" : fmt::format("the plug-ins differ: {}.", fmt::join(names, ", "));
}

}  // namespace mbsbench
