#include "problems/catalog/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "problems/catalog/families.h"
#include "problems/catalog/options.h"
#include "problems/model/error.h"
#include "problems/model/names.h"

namespace mbsbench {

const std::vector<ProblemFamily>& AllProblems() {
  static const std::vector<ProblemFamily> problems{
      PendulumFamily(),      Dpend18Family(),   Branch4Family(),  BranchNFamily(),
      DzhanibekovFamily(),   HeavytopFamily(),  ChainNFamily(),   ChainN3dFamily(),
      SlidersFamily(),       Tree12Family(),    Mixed12Family(),  Mixed250Family(),
      LadderFamily(),        FourbarFamily(),   WishboneFamily(), RocketFamily(),
      NfourbarFamily(),      AndrewsFamily(),   BricardFamily(),  FlyballFamily(),
      Slidercrank3dFamily(), SwingFamily(),     GovernorFamily(), GovernorRodsFamily(),
      SpunchainNFamily(),    RevoluteNFamily(), TreeNFamily(),    PuckFamily(),
      KapitzaFamily(),       CaraxisFamily(),
  };
  return problems;
}

Problem MakeProblem(std::string_view name) {
  const std::size_t colon = name.find(':');
  const std::string_view family_name = name.substr(0, colon);
  const ProblemFamily* family = nullptr;
  std::vector<std::string> names;
  for (const ProblemFamily& f : AllProblems()) {
    names.push_back(f.name);
    if (f.name == family_name) family = &f;
  }
  if (family == nullptr) {
    throw ModelError("there is no problem '" + std::string(family_name) + "'." +
                     Suggestion(family_name, names));
  }
  ProblemOptions options;
  std::string_view rest =
      colon == std::string_view::npos ? std::string_view{} : name.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view option = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const std::size_t equals = option.find('=');
    const std::string key(option.substr(0, equals));
    std::vector<std::string> known;
    for (const ProblemOption& o : family->options) known.push_back(o.name);
    if (known.empty()) {
      throw ModelError("problem '" + family->name + "' has no options; '" + std::string(option) +
                       "' was given.");
    }
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw ModelError("problem '" + family->name + "' has no option '" + key + "'." +
                       Suggestion(key, known));
    }
    if (options.count(key) > 0)
      throw ModelError("option '" + key + "' of problem '" + family->name +
                       "' is given more than once: give one value.");
    options[key] = equals == std::string_view::npos ? "" : std::string(option.substr(equals + 1));
  }
  return family->build(options);
}

int IntegerOption(const ProblemOptions& options, const std::string& name, int fallback, int least,
                  int most) {
  const auto found = options.find(name);
  if (found == options.end()) return fallback;
  const std::string& text = found->second;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw ModelError("option '" + name + "' is '" + text + "': a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most) + " is needed.");
  }
  return value;
}

double NumberOption(const ProblemOptions& options, const std::string& name, double fallback,
                    double least, double most) {
  const auto found = options.find(name);
  if (found == options.end()) return fallback;
  const std::string& text = found->second;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      !(value >= least && value <= most)) {
    throw ModelError(fmt::format("option '{}' is '{}': a number from {} to {} is needed.", name,
                                 text, least, most));
  }
  return value;
}

std::string NumberText(const std::string& name, double value) {
  return fmt::format("{}={}", name, value);
}

std::string NameWith(const std::string& family, const std::vector<std::string>& options) {
  std::string name = family;
  for (const std::string& option : options) {
    if (!option.empty()) name += (name == family ? ":" : ",") + option;
  }
  return name;
}

}  // namespace mbsbench
