#include "problems/catalog/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "problems/catalog/families.h"
#include "problems/model/error.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

std::vector<ProblemFamily>& Families() {
#define FAMILY(function) function(),
  static std::vector<ProblemFamily> families{
#include "problems/catalog/families.inc"
  };
#undef FAMILY
  return families;
}

}  // namespace

const std::vector<ProblemFamily>& AllProblems() { return Families(); }

std::vector<std::string> AllInstances() {
  std::vector<std::string> all;
  for (const ProblemFamily& family : AllProblems())
    all.insert(all.end(), family.instances.begin(), family.instances.end());
  return all;
}

void AddProblems(ProblemFamily family) {
  for (ProblemFamily& known : Families()) {
    if (known.name != family.name) continue;
    if (!family.plugin.empty() && known.plugin == family.plugin) {  // loaded anew
      known = std::move(family);
      return;
    }
    throw ModelError(fmt::format(
        "the plug-in '{}' brings a problem '{}', which is there already: give it another name.",
        family.plugin, family.name));
  }
  Families().push_back(std::move(family));
}

Problem MakeProblem(const ProblemFamily& family, std::string_view rest) {
  ProblemOptions options;
  std::vector<std::string> known;
  for (const ProblemOption& o : family.options) known.push_back(o.name);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view option = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const std::size_t equals = option.find('=');
    const std::string key(option.substr(0, equals));
    if (known.empty()) {
      throw ModelError("problem '" + family.name + "' has no options; '" + std::string(option) +
                       "' was given.");
    }
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw ModelError("problem '" + family.name + "' has no option '" + key + "'." +
                       Suggestion(key, known));
    }
    if (options.count(key) > 0)
      throw ModelError("option '" + key + "' of problem '" + family.name +
                       "' is given more than once: give one value.");
    options[key] = equals == std::string_view::npos ? "" : std::string(option.substr(equals + 1));
  }
  return family.build(options);
}

Problem MakeProblem(std::string_view name) {
  const std::size_t colon = name.find(':');
  const std::string_view family_name = name.substr(0, colon);
  std::vector<std::string> names;
  for (const ProblemFamily& family : AllProblems()) {
    if (family.name == family_name)
      return MakeProblem(
          family, colon == std::string_view::npos ? std::string_view{} : name.substr(colon + 1));
    names.push_back(family.name);
  }
  throw ModelError("there is no problem '" + std::string(family_name) + "'." +
                   Suggestion(family_name, names));
}

}  // namespace mbsbench
