// mbsbench run: the comparison.
#include <fmt/format.h>

#include <memory>

#include "harness/commands/commands.h"
#include "harness/commands/text.h"
#include "harness/runner/progress.h"
#include "harness/runner/run.h"
#include "harness/runner/shell_word.h"
#include "harness/store/run_commands.h"
#include "problems/model/error.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

struct RunCommandOptions {
  Selection selection;
  bool quick = false, full = false;
  std::string store = kDefaultStore;
  bool resume = false;
  std::vector<std::string> retry;
  std::optional<int> rounds;
  std::optional<double> minutes, time_limit, memory_limit;
  std::uint64_t seed = 1;
};

// What each size of a run may cost unless told otherwise.
struct Budget {
  Tier tier;
  int rounds;
  double seconds_per_trial;
};
Budget BudgetOf(const RunCommandOptions& o) {
  if (o.quick) return {Tier::kQuick, 3, 20};
  if (o.full) return {Tier::kFull, 7, 600};
  return {Tier::kDefault, 3, 60};
}

void PrintWhatIsLeft(const RunSummary& summary, const std::string& typed) {
  const auto share = [](const Covered& c) { return fmt::format("{} of {}", c.done, c.planned); };
  Print("the time is over; covered: {} problem families, {} problems, {} methods, {} cells\n",
        share(summary.families_covered), share(summary.problems_covered),
        share(summary.methods_covered), share(summary.cells_covered));
  double seconds = 0;
  for (int k = 0; k < kPasses; ++k) {
    const PassForecast& pass = summary.passes[static_cast<std::size_t>(k)];
    const std::string_view title = TitleOf(static_cast<Pass>(k + 1));
    seconds += pass.seconds_left;
    if (pass.done == pass.planned)
      Print("  pass {}, {}: complete\n", k + 1, title);
    else
      Print("  pass {}, {}: {} of {} trials, about {} more\n", k + 1, title, pass.done,
            pass.planned, RoughDuration(pass.seconds_left));
  }
  Print("about {} more complete the run: '{}' goes on\n", RoughDuration(seconds),
        CommandToResume(typed));
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

int RunCells(const RunCommandOptions& o, CommandContext& context) {
  if (o.quick && o.full) throw ModelError("give either --quick or --full, not both.");
  if (o.rounds && (*o.rounds < 1 || *o.rounds > 1000))
    throw ModelError(
        fmt::format("--rounds is {}: a whole number from 1 to 1000 is needed.", *o.rounds));
  if (o.minutes && !(*o.minutes > 0 && *o.minutes < 1e7))
    throw ModelError(fmt::format(
        "--minutes is {}: a number of minutes above 0 is needed; without the option the "
        "run goes on to its end.",
        *o.minutes));
  if (o.time_limit && !(*o.time_limit > 0 && *o.time_limit < 1e7))
    throw ModelError(
        fmt::format("--time-limit is {}: a number of seconds above 0 is needed.", *o.time_limit));
  if (o.memory_limit && !(*o.memory_limit >= 16 && *o.memory_limit < 1e9))
    throw ModelError(fmt::format(
        "--memory-limit is {}: a number of megabytes, 16 or more, is needed.", *o.memory_limit));
  const Budget budget = BudgetOf(o);
  RunOptions options;
  options.selection = o.selection;
  options.selection.tier = budget.tier;
  options.store = o.store;
  options.executable = "/proc/self/exe";  // itself, also when its file has been replaced meanwhile
  options.plugins = context.plugins;
  AskForEngines(o.selection.methods, context);
  options.engines = context.engines;
  options.command = context.typed;
  options.retry = OutcomesNamed(o.retry);
  options.resume = o.resume || !options.retry.empty();
  options.rounds = o.rounds.value_or(budget.rounds);
  if (o.minutes) options.budget = 60 * *o.minutes;
  options.limits.seconds = o.time_limit.value_or(budget.seconds_per_trial);
  options.limits.bytes = o.memory_limit ? static_cast<std::int64_t>(*o.memory_limit * (1 << 20))
                                        : DefaultMemoryLimit();
  options.seed = o.seed;
  options.progress = stderr;

  const RunSummary summary = RunComparison(options, context.methods);
  Print("{} trials run, {} found in the store\n", summary.trials_run, summary.trials_found);
  if (!summary.cells.empty()) Print("cells by outcome:\n");
  for (const auto& [outcome, count] : summary.cells) Print("  {:<18} {}\n", outcome, count);
  for (const std::string& sentence : summary.disagreements) Print("WARNING: {}\n", sentence);
  if (!summary.is_complete()) PrintWhatIsLeft(summary, context.typed);
  if (!summary.unfinished.empty()) {
    Print("the store's run still waits for '{}', which was interrupted; --resume completes it\n",
          summary.unfinished);
  }
  Print("results in {}; 'mbsbench report{}' makes a report of them\n", o.store,
        o.store == kDefaultStore ? "" : " --store " + ShellWord(o.store));
  return summary.disagreements.empty() ? kExitOk : kExitCellFailed;
}

}  // namespace

void AddRunCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "run", "Run a comparison and record it: problems x methods x integrators x tolerances");
  command->footer(
      "Names may be globs; quote them. A name without a wildcard stands for itself: a bare problem "
      "family for its smallest\n"
      "instance, a bare method for its default variant. Options that take several may be "
      "repeated.\n"
      "The run deepens: every method on every problem once, then whole curves, then the other "
      "integrators, then further\n"
      "rounds, so that it shows the whole comparison wherever --minutes cut it.\n"
      "Each trial runs in a process of its own: one that crashes, hangs or eats memory costs only "
      "itself. A run that was\n"
      "killed goes on with --resume; what is in the store is never run twice.\n\n"
      "Examples:\n"
      "  mbsbench run --quick\n"
      "  mbsbench run --minutes 8 --resume\n"
      "  mbsbench run --problem 'branch*' --method 'riccati-mstmm*' --integrator rk4 --integrator "
      "dopri5\n"
      "  mbsbench run --tag planar --store planar.sqlite --resume\n\n"
      "Exit codes: 0 the run is complete or its minutes are over, whatever its outcomes; 2 bad "
      "usage or input; 3 the same, but methods disagree on\n"
      "accelerations or a timed integration did other work; 4 internal error; 130 interrupted.");
  const auto o = std::make_shared<RunCommandOptions>();
  Selection& s = o->selection;
  command->add_option("--problem", s.problems, "Problems to run (all)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command->add_option("--method", s.methods, "Methods to run (all variants of all)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command->add_option("--integrator", s.integrators, "Integrators to run (all that fit)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command
      ->add_option("--tag", s.tags,
                   "Only problems with this tag: planar, spatial, conservative, dissipative, tree, "
                   "loops, quick, default, full")
      ->type_name("TAG")
      ->allow_extra_args(false);
  command->add_flag("--evaluations-only", s.evaluations_only,
                    "Compare and time single evaluations, and integrate nothing");
  command->add_flag("--quick", o->quick, "Small problems, three tolerances each: a minute or two");
  command->add_flag("--full", o->full, "Everything, every decade of tolerance, 7 rounds: hours");
  command->add_option("--store", o->store, "The store, made when there is none")
      ->capture_default_str()
      ->type_name("FILE");
  command->add_flag("--resume", o->resume, "Go on with a store that holds results");
  command
      ->add_option("--minutes", o->minutes,
                   "Stop after so many: every method on every problem comes first, then depth; "
                   "--resume goes on (no limit)")
      ->type_name("M");
  command
      ->add_option("--retry", o->retry,
                   "Go on, and run again what ended so: crashed, timeout, ...; may be repeated")
      ->type_name("OUTCOME")
      ->allow_extra_args(false);
  command->add_option("--rounds", o->rounds, "Timed rounds per cell (3; full 7)")->type_name("N");
  command->add_option("--time-limit", o->time_limit, "Seconds per trial (60; quick 20, full 600)")
      ->type_name("S");
  command
      ->add_option("--memory-limit", o->memory_limit,
                   "Megabytes per trial (a quarter of the machine, at most 8192)")
      ->type_name("MB");
  command->add_option("--seed", o->seed, "Seed of random states and of the order of rounds")
      ->capture_default_str()
      ->type_name("N");
  command->callback([&context, o] { context.exit_code = RunCells(*o, context); });
}

}  // namespace mbsbench
