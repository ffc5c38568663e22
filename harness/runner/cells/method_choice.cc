#include "harness/runner/cells/method_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "harness/support/support.h"
#include "problems/model/error.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

constexpr std::string_view kStabilisationGroup = "stabilisation";

const MethodOption* Find(const MethodEntry& entry, std::string_view name) {
  const auto found = std::ranges::find(entry.options, name, &MethodOption::name);
  return found == entry.options.end() ? nullptr : &*found;
}

// A number as a spec gives it, other than its default.
struct GivenNumber {
  const NumericOption* option;
  double value;
};

// The numeric option and the number of a text like "rho=0.8".
GivenNumber ReadNumber(const MethodEntry& entry, std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string name(text.substr(0, equals)), digits(text.substr(equals + 1));
  std::vector<std::string> known;
  for (const NumericOption& o : entry.numbers) {
    known.push_back(o.name);
    if (o.name != name) continue;
    const std::string range = fmt::format("a number from {} to {}{}{} is needed.", o.least, o.most,
                                          o.unit.empty() ? "" : " ", o.unit);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() ||
        !(value >= o.least && value <= o.most)) {
      throw ModelError(
          fmt::format("option '{}' of method '{}' is '{}': {}", name, entry.key, digits, range));
    }
    return {&o, value};
  }
  throw ModelError(fmt::format("method '{}' has no number '{}'.{}", entry.key, name,
                               known.empty() ? " It takes none." : Suggestion(name, known)));
}

// The choice of `chosen`, completed by the defaults of the groups it leaves open.
MethodChoice Complete(const MethodEntry& entry, const std::vector<const MethodOption*>& chosen,
                      const std::vector<GivenNumber>& numbers = {}) {
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
  const auto spell = [&choice](const std::string& option) {
    choice.spec += choice.spec.find(':') == std::string::npos ? ':' : ',';
    choice.spec += option;
  };
  for (const MethodOption& option : entry.options) {
    if (!is_chosen(option) && !(option.is_default && group_is_open(option.group))) continue;
    choice.options.push_back(option.name);
    if (option.is_default && option.group == kStabilisationGroup) continue;
    spell(option.name);
  }
  for (const NumericOption& option : entry.numbers) {
    for (const GivenNumber& number : numbers) {
      if (number.option != &option || number.value == option.by_default) continue;
      // The shortest decimal that reads back to the same double.
      choice.options.push_back(fmt::format("{}={}", option.name, number.value));
      spell(choice.options.back());
    }
  }
  return choice;
}

// The choice with another stabilisation option, or with none; numbers of the removed option are removed too.
MethodChoice Restabilised(const MethodChoice& choice, const MethodOption* stabilisation) {
  std::vector<const MethodOption*> chosen;
  if (stabilisation != nullptr) chosen.push_back(stabilisation);
  std::vector<GivenNumber> numbers;
  for (const std::string& name : choice.options) {
    const MethodOption* const mine = Find(*choice.entry, name);
    if (mine == nullptr) {
      const GivenNumber number = ReadNumber(*choice.entry, name);
      const MethodOption* const needs = Find(*choice.entry, number.option->with);
      if (needs == nullptr || needs->group != kStabilisationGroup || needs == stabilisation)
        numbers.push_back(number);
    } else if (mine->group != kStabilisationGroup) {
      chosen.push_back(mine);
    }
  }
  return Complete(*choice.entry, chosen, numbers);
}

// The options that prepare() reads: numbers with the unit 1/T are converted to 1/s, including default values.
MethodOptions OptionsOf(const MethodChoice& choice, double time) {
  MethodOptions options = choice.options;
  for (const NumericOption& number : choice.entry->numbers) {
    if (number.unit != "1/T" || (!number.with.empty() && !Has(options, number.with))) continue;
    const double rate = Number(options, number) / time;
    std::erase_if(options, [&](const std::string& o) { return o.starts_with(number.name + "="); });
    options.push_back(fmt::format("{}={}", number.name, rate));
  }
  return options;
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
  std::vector<GivenNumber> numbers;
  std::string_view rest =
      colon == std::string_view::npos ? std::string_view{} : spec.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string name(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const bool is_option = std::ranges::any_of(entry->options, [&](const MethodOption& o) {
      return o.name.starts_with(name.substr(0, name.find('=') + 1));
    });
    if (name.find('=') != std::string::npos && !is_option) {
      const GivenNumber number = ReadNumber(*entry, name);
      if (std::any_of(numbers.begin(), numbers.end(),
                      [&](const GivenNumber& other) { return other.option == number.option; })) {
        throw ModelError("option '" + number.option->name + "' of method '" + key +
                         "' is given more than once.");
      }
      numbers.push_back(number);
      continue;
    }
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
  MethodChoice choice = Complete(*entry, chosen, numbers);
  for (const auto& [option, value] : numbers) {
    if (option->with.empty() || Has(choice.options, option->with)) continue;
    throw ModelError(
        fmt::format("option '{}' of method '{}' has no effect without '{}': give both.",
                    option->name, key, option->with));
  }
  return choice;
}

std::unique_ptr<Formulation> Prepare(const MethodChoice& choice, const GivenSystem& system) {
  return choice.entry->prepare(system, OptionsOf(choice, system.scales().time));
}

std::unique_ptr<BatchFormulation> PrepareBatch(const MethodChoice& choice,
                                               const GivenSystem& system) {
  return choice.entry->prepare_batch(system, OptionsOf(choice, system.scales().time));
}

std::vector<DeclaredLimit> LimitsOf(const MethodChoice& choice) {
  std::vector<DeclaredLimit> mine;
  for (const DeclaredLimit& limit : choice.entry->limits) {
    if (limit.with.empty() || Has(choice.options, limit.with)) mine.push_back(limit);
  }
  return mine;
}

std::vector<MethodChoice> VariantsOf(const MethodEntry& entry) {
  std::vector<MethodChoice> variants;
  bool has_default = false;
  for (const MethodOption& option : entry.options) {
    if (option.group != kVariantGroup) continue;
    variants.push_back(Complete(entry, {&option}));
    has_default |= option.is_default;
  }
  if (!has_default) variants.insert(variants.begin(), Complete(entry, {}));
  return variants;
}

bool IsDefaultVariant(const MethodChoice& choice) {
  return choice.spec == Complete(*choice.entry, {}).spec;
}

std::optional<IntegratorEntry> IntegratorFor(const MethodChoice& choice,
                                             const IntegratorEntry& integrator) {
  if (integrator.key != "own")
    return integrator.form == choice.form() ? std::optional(integrator) : std::nullopt;
  const OwnIntegration* const own = choice.own_integration();
  if (own == nullptr) return std::nullopt;
  IntegratorEntry mine = integrator;
  mine.title = own->title;
  mine.form = choice.form();
  mine.adaptive = own->adaptive;
  mine.fixed_step = own->fixed_step;
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
    others.push_back(Restabilised(choice, &option));
  }
  return others;
}

MethodChoice WithDefaultStabilisation(const MethodChoice& choice) {
  return Restabilised(choice, nullptr);
}

}  // namespace mbsbench
