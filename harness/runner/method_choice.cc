#include "harness/runner/method_choice.h"

#include <algorithm>

#include "problems/model/error.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

constexpr std::string_view kVariantGroup = "variant";
constexpr std::string_view kStabilisationGroup = "stabilisation";

const MethodOption* Find(const MethodEntry& entry, std::string_view name) {
  const auto found = std::find_if(entry.options.begin(), entry.options.end(),
                                  [name](const MethodOption& o) { return o.name == name; });
  return found == entry.options.end() ? nullptr : &*found;
}

// The choice of `chosen`, completed by the defaults of the groups it leaves open.
MethodChoice Complete(const MethodEntry& entry, const std::vector<const MethodOption*>& chosen) {
  const auto is_chosen = [&](const MethodOption& o) {
    return std::find(chosen.begin(), chosen.end(), &o) != chosen.end();
  };
  const auto group_is_open = [&](const std::string& group) {
    return std::none_of(chosen.begin(), chosen.end(),
                        [&](const MethodOption* o) { return !group.empty() && o->group == group; });
  };
  MethodChoice choice;
  choice.entry = &entry;
  choice.spec = entry.key;
  for (const MethodOption& option : entry.options) {
    if (!is_chosen(option) && !(option.is_default && group_is_open(option.group))) continue;
    choice.options.push_back(option.name);
    // The stabilisation by default is not spelled: on trees there is nothing to stabilise.
    if (option.is_default && option.group == kStabilisationGroup) continue;
    choice.spec += choice.spec.find(':') == std::string::npos ? ':' : ',';
    choice.spec += option.name;
  }
  return choice;
}

}  // namespace

MethodChoice ChooseMethod(std::string_view spec, const std::vector<MethodEntry>& methods) {
  const std::size_t colon = spec.find(':');
  const std::string key(spec.substr(0, colon));
  std::vector<std::string> keys;
  const MethodEntry* entry = nullptr;
  for (const MethodEntry& m : methods) {
    keys.push_back(m.key);
    if (m.key == key) entry = &m;
  }
  if (entry == nullptr)
    throw ModelError("there is no method '" + key + "'." + Suggestion(key, keys));

  std::vector<const MethodOption*> chosen;
  std::string_view rest =
      colon == std::string_view::npos ? std::string_view{} : spec.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string name(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const MethodOption* option = Find(*entry, name);
    if (option == nullptr) {
      if (entry->options.empty()) {
        throw ModelError("method '" + key + "' has no options; '" + name + "' was given.");
      }
      std::vector<std::string> known;
      for (const MethodOption& o : entry->options) known.push_back(o.name);
      throw ModelError("method '" + key + "' has no option '" + name + "'." +
                       Suggestion(name, known));
    }
    for (const MethodOption* other : chosen) {
      if (other != option && !option->group.empty() && other->group == option->group) {
        throw ModelError("options '" + other->name + "' and '" + option->name + "' of method '" +
                         key + "' exclude each other: give one of them.");
      }
    }
    chosen.push_back(option);
  }
  return Complete(*entry, chosen);
}

std::vector<MethodChoice> VariantsOf(const MethodEntry& entry) {
  std::vector<MethodChoice> variants;
  for (const MethodOption& option : entry.options) {
    if (option.group == kVariantGroup) variants.push_back(Complete(entry, {&option}));
  }
  if (variants.empty()) variants.push_back(Complete(entry, {}));
  return variants;
}

}  // namespace mbsbench
