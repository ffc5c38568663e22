#include "commands/command_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <iterator>
#include <memory>
#include <system_error>

#include "commands/commands.h"
#include "commands/help_formatter.h"
#include "commands/options.h"
#include "commands/text.h"
#include "harness/bench/bench_child.h"
#include "harness/plugins/engines.h"
#include "harness/plugins/plugins.h"
#include "harness/runner/cells/shell_word.h"
#include "harness/runner/process/child.h"
#include "harness/runner/process/environment.h"
#include "harness/runner/process/supervisor.h"
#include "harness/runner/trials/run_child.h"
#include "harness/store/printable.h"
#include "problems/catalog/catalog.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

// The command as typed, with the folder of references, on which results depend.
std::string Typed(int argc, char** argv) {
  constexpr const char* kFolder = "MBSBENCH_REFERENCE_DIR";
  const char* const folder = std::getenv(kFolder);
  std::string typed =
      folder == nullptr ? "mbsbench" : fmt::format("{}={} mbsbench", kFolder, ShellWord(folder));
  for (int i = 1; i < argc; ++i) typed += " " + ShellWord(argv[i]);
  return typed;
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// What the parser refuses, without the parser's own jargon.
std::string Fault(const CLI::App& command, const CLI::ParseError& error) {
  std::string what = error.what();
  while (!what.empty() && (what.back() == '.' || what.back() == '\n')) what.pop_back();
  constexpr std::string_view kExcludes = " excludes ";
  if (const std::size_t at = what.find(kExcludes);
      dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr && at != std::string::npos) {
    return fmt::format("give either {} or {}, not both", what.substr(0, at),
                       what.substr(at + kExcludes.size()));
  }
  const std::string name = what.substr(0, what.find(':'));
  const CLI::Option* const option = command.get_option_no_throw(name);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr || option == nullptr)
    return what;
  const int least = option->get_items_expected_min(), most = option->get_items_expected_max();
  return least == most ? fmt::format("{} takes {} value{}", name, least, least == 1 ? "" : "s")
                       : fmt::format("{} takes {} to {} values", name, least, most);
}

// One sentence for an error of the parser.
std::string UsageSentence(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string help =
      chosen.empty() ? "mbsbench --help" : "mbsbench " + command.get_name() + " --help";
  // The parser reports a mistyped command as a missing one.
  if (chosen.empty() || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    for (const std::string& extra : app.remaining(true)) {
      if (extra.rfind("-", 0) == 0) {
        const std::string name = extra.substr(0, extra.find('='));
        std::vector<std::string> known = OptionNames(command);
        if (&command != &app) std::ranges::move(OptionNames(app), std::back_inserter(known));
        return fmt::format("there is no option '{}'{}.{}", name,
                           chosen.empty() ? "" : " of " + command.get_name(),
                           Suggestion(name, known));
      }
      if (chosen.empty())
        return "there is no command '" + extra + "'." + Suggestion(extra, CommandNames(app));
      return fmt::format("'{}' is one argument too many for {}: see '{}'.", extra,
                         command.get_name(), help);
    }
  }
  if (chosen.empty()) {
    return fmt::format("give a command: {}. See '{}'.", fmt::join(CommandNames(app), ", "), help);
  }
  return fmt::format("{}: {}. See '{}'.", command.get_name(), Fault(command, error), help);
}

// A mistyped problem is refused before an argument that is missing after it.
void RefuseMistypedProblem(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) return;
  const CLI::Option* const problem = chosen.front()->get_option_no_throw("PROBLEM");
  if (problem != nullptr && problem->count() > 0) LoadProblem(problem->as<std::string>());
}

// Options of all commands refuse an empty value, which the parser would accept.
void RefuseEmptyValues(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    option->check(
        [](const std::string& value) { return value.empty() ? "its value is empty" : ""; });
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    RefuseEmptyValues(*command);
}

// If a descriptor below 3 is closed, the next file that is opened, such as a store, gets its number, and
// terminal output would be written into that file.
void OpenStandardDescriptors() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    if (open("/dev/null", O_RDWR) != descriptor)  // the lowest that is free
      throw std::system_error(errno, std::generic_category(), "/dev/null cannot be opened");
  }
}

std::string OutputLost() {
  return fmt::format("standard output cannot be written: {}.", std::strerror(errno));
}

// Never throws: it is the last action of a command, and standard error may be closed.
int Fail(const std::string& sentence, int code) {
  std::fflush(stdout);
  const std::string line = "mbsbench: " + PrintableLine(sentence) + "\n";
  std::fputs(line.c_str(), stderr);
  return code;
}

PluginLoader GuardedLoader(const CommandContext& context) {
  return [seconds = context.plugin_seconds](const std::filesystem::path& file) {
    return LoadGuardedPlugin(file, seconds);
  };
}

void AddPlugins(const std::vector<std::string>& files, const PluginLoader& load,
                CommandContext& context) {
  for (const std::string& file : files) {
    PluginParts parts = load(file);
    for (MethodEntry& entry : parts.methods) {
      for (const MethodEntry& known : context.methods) {
        if (known.key == entry.key)
          throw ModelError("the plug-in '" + file + "' adds a method '" + entry.key +
                           "', which exists already: give it another key.");
      }
      context.methods.push_back(std::move(entry));
    }
    for (ProblemFamily& family : parts.problems) AddProblems(std::move(family));
    context.plugins.push_back(std::filesystem::absolute(file));
  }
}

// The spec of the method in a trial's or a benchmark's request; empty if it has none.
std::string MethodOf(const std::string& request) {
  const Json json = Json::parse(request);
  return json.at(json.contains("cell") ? "cell" : "case").value("method", "");
}

// The process of a trial or benchmark: its command, the request, the plug-ins.
int ActAsChild(int argc, char** argv, CommandContext& context) {
  AddPlugins({argv + 3, argv + argc}, LoadPlugin, context);
  LoadEngines({MethodOf(argv[2])}, LoadPlugin, context.methods);
  if (argv[1] == kBenchCommand) return RunBenchChild(argv[2], context.methods, context.plugins);
  return RunChild(argv[2], context.methods);
}

}  // namespace

void AskForEngines(const std::vector<std::string>& specs, CommandContext& context) {
  LoadedEngines loaded = LoadEngines(specs, GuardedLoader(context), context.methods);
  for (const auto& [key, sentence] : loaded.failures)
    Print(stderr, "mbsbench: the engine '{}' is left out: {}\n", key, sentence);
  context.engines.merge(loaded.plugins);
  context.engine_failures.merge(loaded.failures);
}

void RefuseUnknownKeys(const std::vector<std::string>& specs, const CommandContext& context) {
  std::vector<std::string> engines, keys;
  for (const Engine& engine : KnownEngines()) engines.push_back(engine.key);
  for (const MethodEntry& method : context.methods) keys.push_back(method.key);
  keys.insert(keys.end(), engines.begin(), engines.end());
  for (const std::string& spec : specs) {
    const std::string key = spec.substr(0, spec.find(':'));
    if (key.find_first_of("*?[") != std::string::npos || std::ranges::find(keys, key) != keys.end())
      continue;
    throw ModelError(
        fmt::format("there is no method or engine '{}': the engines are {}, and 'mbsbench list' "
                    "names the methods.{}",
                    key, fmt::join(engines, ", "),
                    ClosestNames(key, keys).empty() ? "" : Suggestion(key, keys)));
  }
}

int ExitCodeOf(const std::string& spec, CommandContext& context,
               const std::function<int()>& command) {
  const auto carry = [&command] {
    TrialResult result;
    result.answer = {{"exit_code", command()}};
    if (std::fflush(stdout) != 0) throw ModelError("standard output cannot be written.");
    return result;
  };
  const TrialResult result = CallOf(*ChooseMethod(spec, context.methods).entry,
                                    "while this command ran", carry, Output::kOfThisProcess);
  if (result.ending.outcome == Outcome::kOk) return result.answer.at("exit_code").get<int>();
  if (result.ending.outcome == Outcome::kUnsupported) throw ModelError(result.ending.reason);
  return Fail(fmt::format("{}: {}", Name(result.ending.outcome), result.ending.reason),
              kExitCellFailed);
}

namespace {

int Execute(int argc, char** argv, std::vector<MethodEntry> methods) try {
  OpenStandardDescriptors();
  CommandContext context;
  context.methods = std::move(methods);
  if (argc >= 3 && (argv[1] == kChildCommand || argv[1] == kBenchCommand))
    return ActAsChild(argc, argv, context);
  context.typed = Typed(argc, argv);

  CLI::App app{
      "mbsbench compares formulations of multibody dynamics: how accurate, how stable, how fast."};
  app.name("mbsbench");
  app.set_version_flag("--version", Version());
  app.require_subcommand(1);
  app.fallthrough();  // the options below may also follow the command
  app.formatter(std::make_shared<HelpFormatter>());
  std::vector<std::string> plugins;
  // Loaded before any command runs, because commands need the methods.
  AddOption(app, "--plugin", plugins, "FILE",
            "Load methods from a shared library; may be repeated");
  AddNumber(app, "--plugin-time-limit", context.plugin_seconds, "S", kAboveZero,
            "CPU seconds that a plug-in or engine may take to load, to say whether it "
            "supports a system, to evaluate one state, or to be held to one promise");
  app.parse_complete_callback([&] { AddPlugins(plugins, GuardedLoader(context), context); });
  app.footer(std::string(R"(Examples:
  mbsbench list                                methods, problems and integrators
  mbsbench solve branch4 riccati-mstmm         one problem by one method
  mbsbench run --quick                         a small comparison, recorded
  mbsbench report                              its report

)") + kExitCodesHelp);
#define COMMAND(name) Add##name##Command(app, context);
#include "commands/commands.inc"
#undef COMMAND
  RefuseEmptyValues(app);
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "help") {  // 'help COMMAND' is 'COMMAND --help'
    words.erase(words.begin());
    const std::vector<std::string> commands = CommandNames(app);
    if (!words.empty() && std::ranges::find(commands, words.front()) == commands.end())
      throw ModelError("there is no command '" + words.front() + "'." +
                       Suggestion(words.front(), commands));
    words.push_back("--help");
  }
  std::reverse(words.begin(), words.end());  // the parser reads them from the back
  try {
    app.parse(std::move(words));
  } catch (const CLI::Success& help_or_version) {
    app.exit(help_or_version);
    if (!std::cout.flush()) return Fail(OutputLost(), kExitBadInput);
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
      AddPlugins(plugins, GuardedLoader(context), context);
      RefuseMistypedProblem(app);
    }
    return Fail(UsageSentence(app, error), kExitBadInput);
  }
  if (std::fflush(stdout) != 0) return Fail(OutputLost(), kExitBadInput);
  return context.exit_code;
} catch (const Interrupted& interrupted) {
  return Fail(interrupted.what(), kExitInterrupted);
} catch (const ModelError& error) {
  return Fail(error.what(), kExitBadInput);
} catch (const std::bad_alloc&) {
  return Fail("not enough memory for this problem.", kExitCellFailed);
} catch (const std::system_error& error) {
  return Fail(fmt::format("the system refuses: {}.", error.what()), kExitBadInput);
} catch (const std::exception& error) {
  return Fail(fmt::format("internal error: {}. Please report it.", error.what()), kExitInternal);
}

// With 96 kB a run of one pendulum ends by a signal; with 128 kB it ends well.
constexpr rlim_t kLeastStack = 128;  // [kB]

}  // namespace

int CommandLine(int argc, char** argv, std::vector<MethodEntry> methods) {
  std::signal(SIGXFSZ,
              SIG_IGN);  // a file that is too large for 'ulimit -f' is an error of its writer
  if (rlimit stack{}; getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur / 1024 < kLeastStack) {
    return Fail(
        fmt::format("the stack is limited to {} kB, and at least {} kB are needed: start it in a "
                    "shell where 'ulimit -s' says more (8192 is usual).",
                    stack.rlim_cur / 1024, kLeastStack),
        kExitBadInput);
  }
  const int code = Execute(argc, argv, std::move(methods));
  if (HasLoadedPlugins()) {
    // The static objects of a plug-in may crash when they are destroyed, after the work is done.
    std::fflush(nullptr);
    std::_Exit(code);
  }
  return code;
}

}  // namespace mbsbench
