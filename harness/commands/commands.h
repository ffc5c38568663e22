// What the commands share: one registrar per command, each in a source file of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/runner/guarded_method.h"
#include "harness/store/store.h"
#include "methods/interface/method.h"
#include "methods/interface/observation.h"
#include "problems/model/system.h"
#include "reference/reference.h"

namespace mbsbench {

// What an exit code means; every --help says so too.
enum ExitCode {
  kExitOk = 0,
  kExitWorse = 1,         // compare, bench: something got worse; conform: a promise is broken
  kExitBadInput = 2,      // usage, an unknown name, a file that is not what it should be
  kExitCellFailed = 3,    // solve, accelerations, bench: did not end ok; run: wrong accelerations
  kExitInternal = 4,      // a defect of mbsbench: please report it
  kExitInconclusive = 5,  // bench: too busy a machine for a verdict
  kExitInterrupted = 130,
};
inline constexpr char kExitCodesHelp[] =
    R"(Exit codes: 0 ok; 2 bad usage or input; 3 a solution did not end ok (its outcome says
how), or a method is wrong; 4 internal error; 130 interrupted.)";

struct CommandContext {
  std::vector<MethodEntry> methods;
  std::string typed;                                     // the whole command
  std::vector<std::filesystem::path> plugins;            // loaded already
  std::map<std::string, std::filesystem::path> engines;  // key and plug-in of those loaded
  std::map<std::string, std::string> engine_failures;    // key and why it was left out
  double plugin_seconds = kPluginSeconds;                // limit of each guarded call
  int exit_code = kExitOk;
};

// Adds the methods of the engines that these specs or globs ask for; none asks for all. One that
// cannot be loaded is left out with a sentence, unless it is asked for by name.
void AskForEngines(const std::vector<std::string>& specs, CommandContext& context);

// The exit code of a command that calls functions of this method and prints as it goes: a copy of this
// process carries it out where the method's code is not ours, and may take as long as it likes.
int ExitCodeOf(const std::string& spec, CommandContext& context,
               const std::function<int()>& command);

// Each adds its subcommand.
#define COMMAND(name) void Add##name##Command(CLI::App& app, CommandContext& context);
#include "harness/commands/commands.inc"
#undef COMMAND

// Certify(), showing on standard error how far it is.
Reference CertifyWithProgress(const Problem& problem);

// On standard error, a sentence for each plug-in of this build that was built without optimisation.
void WarnOfPlugins(const BuildRecord& build);

inline constexpr char kDefaultStore[] = "mbsbench-results/results.sqlite";

// {"time", "bodies": [{"name", "position", "quaternion", "velocity", "angular_velocity"}]}; `indices` names the bodies of `states`
// where these are not all.
Json SampleDocument(double time, const System& system, const std::vector<BodyState>& states,
                    const std::vector<int>* indices = nullptr);

// A document on one line; printed, with a line end, to standard output.
std::string TextOf(const Json& document);
void PrintJson(const Json& document);

}  // namespace mbsbench
