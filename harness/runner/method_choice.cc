#include "harness/runner/method_choice.h"

#include <algorithm>

#include "problems/model/error.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

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
      if (other == option)
        throw ModelError("option '" + name + "' of method '" + key + "' is given more than once.");
      if (!option->group.empty() && other->group == option->group) {
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

bool IsDefaultVariant(const MethodChoice& choice) {
  return choice.spec == Complete(*choice.entry, {}).spec;
}

std::optional<IntegratorEntry> IntegratorFor(const MethodChoice& choice,
                                             const IntegratorEntry& integrator) {
  if (integrator.form != choice.form()) return std::nullopt;
  if (integrator.key != "own") return integrator;
  const std::optional<OwnIntegration>& own = choice.entry->own_integration;
  if (!own) return std::nullopt;
  IntegratorEntry mine = integrator;
  mine.title = own->title;
  mine.adaptive = own->adaptive;
  mine.fixed_step = !own->adaptive;
  mine.order = own->order;
  return mine;
}

Verdict Supports(const MethodChoice& choice, const System& system, std::string_view integrator) {
  const Verdict verdict = VerdictOf(*choice.entry, system, choice.options);
  return verdict.supported ? GoesWith(choice, system, integrator) : verdict;
}

Verdict GoesWith(const MethodChoice& choice, const System& system, std::string_view integrator) {
  const IntegratorEntry* const entry = FindIntegrator(integrator);
  if (entry == nullptr || entry->no_projection.empty()) return {};
  if (system.loop_joints.empty() || !Has(choice.options, "projected")) return {};
  return Verdict::No(entry->no_projection + ": give the method 'baumgarte' or 'none'");
}

std::vector<MethodChoice> OtherStabilisationsOf(const MethodChoice& choice) {
  std::vector<MethodChoice> others;
  for (const MethodOption& option : choice.entry->options) {
    if (option.group != kStabilisationGroup || option.is_default) continue;
    std::vector<const MethodOption*> chosen{&option};
    for (const std::string& name : choice.options) {
      const MethodOption* const mine = Find(*choice.entry, name);
      if (mine->group != kStabilisationGroup) chosen.push_back(mine);
    }
    others.push_back(Complete(*choice.entry, chosen));
  }
  return others;
}

MethodChoice WithDefaultStabilisation(const MethodChoice& choice) {
  std::vector<const MethodOption*> chosen;
  for (const std::string& name : choice.options) {
    const MethodOption* const mine = Find(*choice.entry, name);
    if (mine->group != kStabilisationGroup) chosen.push_back(mine);
  }
  return Complete(*choice.entry, chosen);
}

}  // namespace mbsbench
