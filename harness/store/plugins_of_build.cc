#include "harness/store/plugins_of_build.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "harness/store/json_field.h"

namespace mbsbench {

namespace {

std::string PluginText(const Json& plugin, const char* name) {
  const Json& value = Field(plugin, name);
  return value.is_string() ? value.get<std::string>() : "not stated";
}

std::map<std::string, const Json*> PluginsByName(const Json& build) {
  std::map<std::string, const Json*> plugins;
  for (const Json& plugin : Field(build, "plugins")) plugins[PluginText(plugin, "name")] = &plugin;
  return plugins;
}

}  // namespace

std::vector<std::string> PluginWarnings(const Json& build) {
  std::vector<std::string> sentences;
  for (const auto& [name, plugin] : PluginsByName(build)) {
    if (Field(*plugin, "optimised") != Json(false)) continue;
    std::vector<std::string> methods;
    for (const Json& method : Field(*plugin, "methods"))
      if (method.is_string()) methods.push_back(method.get<std::string>());
    sentences.push_back(fmt::format(
        "the plug-in '{}' was built without optimisation, so the times of {} say nothing of what "
        "it can do: rebuild it with -O2 or more.",
        name, methods.empty() ? "what it brings" : fmt::format("{}", fmt::join(methods, ", "))));
  }
  return sentences;
}

std::vector<std::string> PluginDifferences(const Json& a, const Json& b) {
  std::vector<std::string> sentences;
  if (!Field(a, "plugins").is_array() || !Field(b, "plugins").is_array()) return sentences;
  const auto of_a = PluginsByName(a), of_b = PluginsByName(b);
  for (const auto& [name, plugin] : of_a) {
    const auto other = of_b.find(name);
    if (other == of_b.end()) {
      sentences.push_back(fmt::format("the plug-in '{}' was loaded in A alone.", name));
      continue;
    }
    for (const auto& [field, word] : {std::pair{"sha1", "files"}, {"flags", "flags"}}) {
      const std::string before = PluginText(*plugin, field),
                        after = PluginText(*other->second, field);
      if (before != after)
        sentences.push_back(
            fmt::format("the plug-in '{}' has other {}: {} and {}.", name, word, before, after));
    }
  }
  for (const auto& [name, plugin] : of_b) {
    if (of_a.count(name) == 0)
      sentences.push_back(fmt::format("the plug-in '{}' was loaded in B alone.", name));
  }
  return sentences;
}

}  // namespace mbsbench
