// mbsbench run: the comparison.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "commands/run_options.h"
#include "commands/text.h"
#include "harness/runner/cells/shell_word.h"
#include "harness/runner/process/environment.h"
#include "harness/runner/progress.h"
#include "harness/store/run_commands.h"
#include "problems/model/error.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

struct RunCommand {
  RunCommandOptions plan;
  std::string store = kDefaultStore, shard;
  bool resume = false;
  std::vector<std::string> retry;
};

// "the time is over in pass 3 of 8; covered: ...": one line, which ends with the command that continues.
void PrintWhatIsLeft(const RunSummary& summary, const std::string& command) {
  const CoverageRecord& coverage = summary.coverage;
  const auto share = [](const std::optional<Covered>& covered) {
    const Covered c = OrNone(covered);
    return fmt::format("{} of {}", c.done, c.planned);
  };
  const auto open = std::ranges::find_if(
      coverage.passes, [](const PassRecord& pass) { return pass.done < pass.planned; });
  const double left = SumOf(coverage.passes).seconds_left;
  Print(
      "the time is over in pass {} of {}; covered: {} problem families, {} problems, {} methods, "
      "{} items; {}'{}' continues\n",
      open - coverage.passes.begin() + 1, coverage.passes.size(), share(coverage.families),
      share(coverage.problems), share(coverage.methods), share(coverage.items),
      std::isfinite(left) ? "about " + RoughDuration(left) + " more complete it: " : "", command);
}

// The first one; the report lists the others.
void PrintFirstWarning(const RunSummary& summary) {
  std::vector<std::string> warnings;
  for (const std::string& sentence : summary.damaged)
    warnings.push_back("DAMAGED: " + sentence + " `--resume` runs a trial of this plan again.");
  for (const std::vector<std::string>* sentences : {&summary.disagreements, &summary.stalled}) {
    for (const std::string& sentence : *sentences) warnings.push_back("WARNING: " + sentence);
  }
  if (warnings.empty()) return;
  Print("{}\n", warnings.front());
  if (warnings.size() > 1) Print("and {} more; the report has all of them\n", warnings.size() - 1);
}

std::set<std::string> OutcomesNamed(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (int k = 0; k <= static_cast<int>(Outcome::kSkipped); ++k)
    known.emplace_back(Name(static_cast<Outcome>(k)));
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ModelError("there is no outcome '" + name + "'." + Suggestion(name, known));
  }
  return {names.begin(), names.end()};
}

int RunCells(const RunCommand& o, CommandContext& context) {
  RunOptions options = RunOptionsFrom(o.plan, context);
  options.store = o.store;
  options.retry = OutcomesNamed(o.retry);
  options.resume = o.resume || !options.retry.empty();
  if (!o.shard.empty()) options.shard = ParseShard(o.shard);
  options.progress = stderr;

  WarnOfPlugins({.plugins = LoadedPlugins()});
  const RunSummary summary = RunComparison(options, MakePlan(options.selection, context.methods));
  std::string cells;
  for (const auto& [outcome, count] : summary.cells)
    cells += fmt::format("{}{} {}", cells.empty() ? "; cells: " : ", ", count, outcome);
  Print("{} trials run, {} found in the store{}\n", summary.trials_run, summary.trials_found,
        cells);
  PrintFirstWarning(summary);
  for (const std::string& sentence : summary.left_out) Print("{}\n", sentence);
  const std::string started_by = StartedBy();
  if (!summary.is_complete()) {
    PrintWhatIsLeft(summary, started_by.empty()
                                 ? CalledAs(Program(), CommandToResume(context.typed))
                                 : started_by);
  }
  if (!summary.unfinished.empty()) {
    Print("the store's run still waits for '{}', which was interrupted; --resume completes it\n",
          summary.unfinished);
  }
  Print("results in {}", o.store);
  if (started_by.empty())
    Print("; '{} report{}' writes their report", Program(),
          o.store == kDefaultStore ? "" : " --store " + ShellWord(o.store));
  Print("\n");
  return summary.disagreements.empty() && summary.stalled.empty() ? kExitOk : kExitCellFailed;
}

}  // namespace

void AddRunCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "run",
      "Run a comparison and record it: problems x methods x integrators x errors asked for",
      R"(Names may be globs; quote them. A bare problem family means its smallest instance, a bare
method its default variant. Options that take several values may be repeated. For each error asked
for (--target) the run searches the coarsest tolerance or step that holds it, and times what it
found in paired rounds. It proceeds in passes, from one error on a few problems that cover every
kind of mechanism to all errors, integrators and problems, so that it answers as much as it can
wherever --minutes ends it.
Each trial runs in a process of its own: one that crashes, hangs or uses too much memory affects no
other. --resume continues a run that was killed; results in the store are never computed twice.

Examples:
  mbsbench run --quick
  mbsbench run --minutes 8 --resume
  mbsbench run --problem pendulum --target 1e-5 --target 1e-8
  mbsbench run --problem 'branch*' --method 'riccati-mstmm*' --integrator rk4 --integrator dopri5

Exit codes: 0 the run is complete or its minutes are over, whatever its outcomes; 2 bad usage or
input; 3 as 0, but a method's accelerations are wrong, methods disagree without a reference, the
error of a curve stops falling above round-off, or a timed integration did other work; 4 internal
error; 130 interrupted.)");
  const auto o = std::make_shared<RunCommand>();
  AddRunOptions(*command, o->plan);
  AddStore(*command, o->store, "The store; it is created if there is none");
  command->add_flag("--resume", o->resume, "Continue with a store that holds results");
  AddOption(*command, "--shard", o->shard, "I/N",
            "Run only the I-th of N parts of the plan; a problem is in one part with all its "
            "cells; 'mbsbench merge' joins their stores");
  AddOption(*command, "--retry", o->retry, "OUTCOME",
            "Continue, and repeat cells with this outcome: crashed, timeout, ...; may be "
            "repeated");
  command->callback([&context, o] { context.exit_code = RunCells(*o, context); });
}

}  // namespace mbsbench
