#include "harness/plugins/plugins.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <regex>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "harness/runner/cells/method_choice.h"
#include "harness/runner/process/environment.h"
#include "harness/runner/process/supervisor.h"
#include "harness/store/printable.h"
#include "methods/foreign/foreign_method.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/model/validation.h"

namespace mbsbench {

namespace {

constexpr std::size_t kLongestKey = 50;

bool has_loaded = false;  // foreign code, accepted or refused

[[noreturn]] void Refuse(const std::filesystem::path& file, const std::string& why) {
  throw ModelError("plug-in '" + file.string() + "' " + why);
}

// Why a method cannot be used; empty: it can.
std::string FaultOf(const MethodEntry& entry) {
  const auto is_no_key = [](const std::string& what, const std::string& text) {
    return fmt::format(
        "the {} '{}': one of lower-case letters, digits and hyphens is needed, at most {}", what,
        PrintableLine(text), kLongestKey);
  };
  if (!IsKey(entry.key)) return is_no_key("key", entry.key);
  const std::string method = "the method '" + entry.key + "' with ";
  std::set<std::string> options;
  for (const MethodOption& option : entry.options) {
    // "order=2" is the variant 2 of the option "order".
    const std::size_t equals = option.name.find('=');
    const std::string value = equals == std::string::npos ? "0" : option.name.substr(equals + 1);
    const bool is_digit = value.size() == 1 && value[0] >= '0' && value[0] <= '9';
    if (!IsKey(option.name.substr(0, equals)) || !is_digit)
      return method + is_no_key("option", option.name);
    if (!options.insert(option.name).second)
      return method + "the option '" + option.name + "' twice";
    if (!std::isfinite(option.cost_exponent.value_or(0)))
      return method + "a cost exponent of '" + option.name + "' that is not finite";
  }
  for (const NumericOption& number : entry.numbers) {
    if (!IsKey(number.name)) return method + is_no_key("number", number.name);
    if (!options.insert(number.name).second)
      return method + "the option '" + number.name + "' twice";
    if (!(number.least <= number.by_default && number.by_default <= number.most))
      return method + "a default of '" + number.name + "' outside its range";
    if (!number.with.empty() && !options.contains(number.with))
      return method + "a number of the option '" + PrintableLine(number.with) + "', which it lacks";
  }
  for (const DeclaredLimit& limit : entry.limits) {
    if (!limit.with.empty() && !options.contains(limit.with))
      return method + "a limit of the option '" + PrintableLine(limit.with) + "', which it lacks";
    if (!(limit.bound >= 0)) return method + "a limit whose bound is not a number of at least 0";
    if (!(limit.seconds >= 0 && std::isfinite(limit.seconds)))
      return method + "a limit whose time is not a number of at least 0";
  }
  if (entry.title.empty()) return method + "no title";
  if (!entry.prepare) return method + "no function 'prepare'";
  for (const MethodChoice& variant : VariantsOf(entry)) {
    if (variant.form() == Form::kTimeStepper && variant.own_integration() == nullptr)
      return method + "time steps of its own and no 'own_integration' that describes them";
  }
  if (!std::isfinite(entry.cost_exponent)) return method + "a cost exponent that is not finite";
  return "";
}

// The state of this process that a library may change and that affects every other method, with the words for a change.
using ProcessState = std::vector<std::pair<const char*, std::string>>;
ProcessState StateOfProcess() {
  std::error_code ignored;
  std::string open_descriptors, handlers;
  for (int descriptor = 0; descriptor < 3; ++descriptor)  // standard input, output and error
    open_descriptors += fcntl(descriptor, F_GETFD) != -1 ? "open " : "closed ";
  for (int signal = 1; signal < 32; ++signal) {  // the standard ones
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0)
      handlers += fmt::format("{} ", reinterpret_cast<std::uintptr_t>(action.sa_handler));
  }
  const volatile double smallest = std::numeric_limits<double>::min();
  return {{"changes the working directory", std::filesystem::current_path(ignored).string()},
          {"closes standard input, output or error", open_descriptors},
          {"changes what signals do", handlers},
          {"changes how floating-point numbers are rounded", std::to_string(std::fegetround())},
          {"makes the processor take subnormal numbers for zero (link it without -ffast-math)",
           smallest / 2 > 0 ? "kept" : "lost"}};
}

// While it lives, standard output goes to standard error: a plug-in must not print into the output of a command.
class OutputToError {
 public:
  OutputToError() {
    std::fflush(stdout);
    kept_ = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~OutputToError() {
    std::fflush(stdout);
    if (kept_ < 0) return;
    dup2(kept_, STDOUT_FILENO);
    close(kept_);
  }
  OutputToError(const OutputToError&) = delete;
  OutputToError& operator=(const OutputToError&) = delete;

 private:
  int kept_ = -1;
};

// Whether this may be the name of a family, such as branchN or governor-rods.
bool IsFamilyName(const std::string& text) {
  static const std::regex name("[A-Za-z][A-Za-z0-9_-]*");
  return text.size() <= kLongestKey && std::regex_match(text, name);
}

// Builds a problem and checks it like the problems of the catalogue.
Problem BuildChecked(const ProblemFamily& family, const ProblemOptions& options) {
  const auto refuse = [&family](const std::string& why) {
    Refuse(family.plugin, "builds a problem of '" + family.name + "' that cannot be used: " + why);
  };
  Problem problem = family.build(options);
  if (problem.name != family.name && !problem.name.starts_with(family.name + ":"))
    refuse("its name '" + PrintableLine(problem.name) + "' is not of the family.");
  try {
    Validate(problem);
  } catch (const ModelError& fault) {
    refuse(fault.what());
  }
  return problem;
}

// Families with checked builds.
void CheckProblems(std::vector<ProblemFamily>& families, const std::filesystem::path& file) {
  for (ProblemFamily& family : families) {
    family.plugin = file.string();
    if (!IsFamilyName(family.name))
      Refuse(file,
             fmt::format(
                 "lists the problem '{}': a letter, then letters, digits, hyphens and underscores "
                 "are needed, at most {}.",
                 PrintableLine(family.name), kLongestKey));
    const auto lacks = [&](const char* what) {
      Refuse(file, "lists the problem '" + family.name + "' without " + what +
                       ": complete its entry and rebuild it.");
    };
    if (!family.build) lacks("a function 'build'");
    if (family.title.empty()) lacks("a title");
    if (family.instances.empty()) lacks("instances");
    family.build = [checked = family](const ProblemOptions& options) {
      return BuildChecked(checked, options);
    };
    const std::string& smallest = family.instances.front();
    if (smallest != family.name && !smallest.starts_with(family.name + ":"))
      Refuse(file, "lists the problem '" + family.name + "' with the instance '" + smallest +
                       "', which is not of it.");
    MakeProblem(family, std::string_view(smallest).substr(
                            std::min(smallest.size(), family.name.size() + 1)));
  }
}

void CheckMethods(const std::vector<MethodEntry>& methods, const std::filesystem::path& file) {
  std::set<std::string> keys;
  for (const MethodEntry& entry : methods) {
    if (const std::string fault = FaultOf(entry); !fault.empty())
      Refuse(file, "lists " + fault + ": correct its entry and rebuild it.");
    if (!keys.insert(entry.key).second)
      Refuse(file, "lists the method '" + entry.key + "' twice: give one of them another key.");
  }
}

// The exported function of that name; null: there is none.
template <class Function>
Function Exported(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

PluginParts PartsOf(const PluginInfo* info, const std::filesystem::path& file) {
  if (info == nullptr) Refuse(file, "gives no description of itself: use MBSBENCH_PLUGIN.");
  if (info->abi != kPluginAbi) {
    Refuse(file, "speaks plug-in ABI " + std::to_string(info->abi) + ", this mbsbench " +
                     std::to_string(kPluginAbi) + ": rebuild it against this version.");
  }
  if (info->build == nullptr || info->add == nullptr)
    Refuse(file, "gives half a description of itself: use MBSBENCH_PLUGIN.");
  if (std::strcmp(info->build, kPluginBuild) != 0 || info->system_size != sizeof(System) ||
      info->entry_size != sizeof(MethodEntry) || info->problem_size != sizeof(Problem)) {
    Refuse(file, "was built with " + PrintableLine(info->build) + ", this mbsbench with " +
                     kPluginBuild + ": rebuild it with the same compiler and headers.");
  }
  PluginParts parts;
  info->add(parts);
  return parts;
}

// The parts of a library in another language.
PluginParts PartsOf(const mbsbench_library* library, const std::filesystem::path& file) {
  if (library == nullptr) Refuse(file, "gives no description of itself in mbsbench_c_methods.");
  if (library->version != MBSBENCH_C_VERSION) {
    Refuse(file, fmt::format("speaks version {} of the C interface, this mbsbench version {}: "
                             "rebuild it against this version.",
                             library->version, MBSBENCH_C_VERSION));
  }
  if (library->fault != nullptr) Refuse(file, "cannot be used: " + PrintableLine(library->fault));
  PluginParts parts;
  for (int i = 0; library->methods != nullptr && i < library->method_count; ++i) {
    const mbsbench_method& method = library->methods[i];
    try {
      parts.Add(ForeignMethodEntry(method));
    } catch (const ModelError& fault) {
      Refuse(file,
             fmt::format("lists the method '{}' with {}: correct its entry and rebuild it.",
                         PrintableLine(method.key == nullptr ? "" : method.key), fault.what()));
    }
  }
  for (int i = 0; library->files != nullptr && library->files[i] != nullptr; ++i)
    parts.depends_on.files.emplace_back(library->files[i]);
  return parts;
}

// Absolute paths of files on which a plug-in says that it depends.
std::vector<std::string> FilesOf(const DependsOn& depends_on, const std::filesystem::path& file) {
  std::vector<std::string> files;
  for (const std::string& name : depends_on.files) {
    const std::filesystem::path path = std::filesystem::absolute(file).parent_path() / name;
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none) || access(path.c_str(), R_OK) != 0)
      Refuse(file, "depends on the file '" + PrintableLine(path.string()) +
                       "', which cannot be read: put it there, or correct the list of its files.");
    files.push_back(path.string());
  }
  return files;
}

}  // namespace

bool IsKey(const std::string& text) {
  static const std::regex key("[a-z]([a-z0-9-]*[a-z0-9])?");
  return text.size() <= kLongestKey && std::regex_match(text, key);
}

PluginParts LoadPlugin(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) Refuse(file, "does not exist or is not a file.");
  // A bare file name would be looked for in the system's library folders.
  void* const library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) Refuse(file, std::string("cannot be loaded: ") + dlerror() + ".");
  PluginRecord loaded{.name = file.stem(), .file = std::filesystem::absolute(file)};
  has_loaded = true;
  PluginParts parts;
  if (const auto describe = Exported<const PluginInfo* (*)()>(library, "mbsbench_plugin")) {
    const PluginInfo* const info = describe();
    parts = PartsOf(info, file);
    if (info->name != nullptr) loaded.name = PrintableLine(info->name);
    loaded.build = PrintableLine(info->build);
    if (info->flags != nullptr) {
      loaded.flags = PrintableLine(info->flags);
      if (!loaded.flags.empty()) loaded.optimised = !loaded.flags.starts_with(kNotOptimised);
    }
  } else if (const auto in_c =
                 Exported<const mbsbench_library* (*)()>(library, "mbsbench_c_methods")) {
    parts = PartsOf(in_c(), file);
  } else {
    Refuse(
        file,
        "is not an mbsbench plug-in: it exports neither mbsbench_plugin (see MBSBENCH_PLUGIN) nor "
        "mbsbench_c_methods.");
  }
  if (parts.methods.empty() && parts.problems.empty())
    Refuse(file, "lists no method and no problem.");
  loaded.depends_on = FilesOf(parts.depends_on, file);
  CheckMethods(parts.methods, file);
  CheckProblems(parts.problems, file);
  for (MethodEntry& method : parts.methods) {
    if (method.origin == Origin::kOurs) method.origin = Origin::kPlugIn;
    loaded.methods.push_back(method.key);
  }
  for (const ProblemFamily& family : parts.problems) loaded.problems.push_back(family.name);
  NotePlugin(std::move(loaded));
  return parts;
}

namespace {

// Calls `call` in a copy of this process, so that a crash or a hang is refused by a sentence.
void TryApart(const std::filesystem::path& file, double seconds, const std::string& fails,
              const std::string& advice, const std::function<void()>& call) {
  const auto carry = [&call] {
    call();
    return TrialResult{};
  };
  const Ending ending = RunApart(carry, {seconds, DefaultMemoryLimit()}).ending;
  if (ending.outcome == Outcome::kUnsupported) throw ModelError(ending.reason);
  if (ending.outcome != Outcome::kOk)
    Refuse(file, fmt::format("{} ({}: {}): {}, or leave it out.", fails, Name(ending.outcome),
                             ending.reason, advice));
}

// Each problem is built by a copy of this process first.
ProblemFamily Guarded(ProblemFamily family, double seconds) {
  family.build = [build = family.build, name = family.name, file = family.plugin,
                  seconds](const ProblemOptions& options) {
    TryApart(file, seconds, "cannot build a problem of '" + name + "'", "correct it",
             [&] { build(options); });
    return build(options);
  };
  return family;
}

}  // namespace

PluginParts LoadGuardedPlugin(const std::filesystem::path& file, double seconds) {
  TryApart(file, seconds, "cannot be loaded", "rebuild or install it again", [&file] {
    const ProcessState before = StateOfProcess();
    LoadPlugin(file);
    const ProcessState now = StateOfProcess();
    for (std::size_t k = 0; k < now.size(); ++k) {
      if (now[k] != before[k])
        Refuse(file, now[k].first + std::string(" while it is loaded, which would affect all other "
                                                "methods."));
    }
  });
  const OutputToError what_it_prints;
  PluginParts loaded = LoadPlugin(file), guarded;
  for (MethodEntry& entry : loaded.methods)
    guarded.methods.push_back(Guarded(std::move(entry), file, seconds));
  for (ProblemFamily& family : loaded.problems)
    guarded.problems.push_back(Guarded(std::move(family), seconds));
  return guarded;
}

bool HasLoadedPlugins() { return has_loaded; }

}  // namespace mbsbench
