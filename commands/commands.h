// The commands: one registrar per command, each in a source file of its own, and what they share.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/runner/process/guarded_method.h"
#include "harness/store/store.h"
#include "methods/interface/method.h"
#include "methods/interface/observation.h"
#include "problems/model/system.h"
#include "reference/reference.h"

namespace mbsbench {

// Every --help lists the exit codes.
enum ExitCode {
  kExitOk = 0,
  kExitWorse = 1,         // compare, bench: something got worse; conform: a promise is broken
  kExitBadInput = 2,      // usage, an unknown name, a missing or invalid file
  kExitCellFailed = 3,    // solve, accelerations, bench: did not end ok; run: wrong accelerations
  kExitInternal = 4,      // a defect of mbsbench: please report it
  kExitInconclusive = 5,  // bench: no verdict, because the machine is too busy
  kExitNotKept = 6,  // conform: none is broken, but one is not kept or tried, or all are refused
  kExitInterrupted = 130,
};
inline constexpr char kExitCodesHelp[] =
    R"(Exit codes: 0 ok; 2 bad usage or input; 3 a solution did not end ok (see its outcome), or
a method is wrong; 4 internal error; 130 interrupted.)";

struct CommandContext {
  std::vector<MethodEntry> methods;
  std::string typed;                                     // the whole command
  std::vector<std::filesystem::path> plugins;            // loaded already
  std::map<std::string, std::filesystem::path> engines;  // key and plug-in of those loaded
  std::map<std::string, std::string> engine_failures;    // key and why it was left out
  double plugin_seconds = kPluginSeconds;                // limit of each guarded call
  int exit_code = kExitOk;
};

// Adds a command with its title, and a page of help that ends with the exit codes: the usual ones, unless `help` lists its own.
CLI::App* AddCommand(CLI::App& app, const std::string& name, const std::string& title,
                     const std::string& help);

// Adds the methods of the engines that these specs or globs name; no specs means all engines. An engine that
// cannot be loaded is left out and reported in one sentence; if it is requested by name, ModelError is thrown.
void AskForEngines(const std::vector<std::string>& specs, CommandContext& context);

// Throws ModelError, which names the engines, where a spec that is no glob has the key of no method and no engine.
void RefuseUnknownKeys(const std::vector<std::string>& specs, const CommandContext& context);

// Runs a command that calls functions of this method and prints while it runs, and returns its exit code. If the
// method's code is not ours, a copy of this process runs the command, without a time limit.
int ExitCodeOf(const std::string& spec, CommandContext& context,
               const std::function<int()>& command);

// Each adds its subcommand.
#define COMMAND(name) void Add##name##Command(CLI::App& app, CommandContext& context);
#include "commands/commands.inc"
#undef COMMAND

// Certify(), with its progress on standard error.
Reference CertifyWithProgress(const Problem& problem);

// Prints a warning to standard error for each plug-in of this build that was built without optimisation.
void WarnOfPlugins(const BuildRecord& build);

inline constexpr char kDefaultStore[] = "mbsbench-results/results.sqlite";

// {"time", "bodies": [{"name", "position", "quaternion", "velocity", "angular_velocity"}]}; `indices`: the bodies of `states`,
// if these are not all bodies.
Json SampleDocument(double time, const System& system, const std::vector<BodyState>& states,
                    const std::vector<int>* indices = nullptr);

// A document on one line, and the same printed to standard output with a line feed.
std::string TextOf(const Json& document);
void PrintJson(const Json& document);

}  // namespace mbsbench
