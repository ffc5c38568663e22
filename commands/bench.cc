// mbsbench bench: small kernels, timed, paired and compared with baselines.
#include "commands/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "commands/options.h"
#include "commands/text.h"
#include "harness/bench/baselines.h"
#include "harness/bench/instructions.h"
#include "harness/records/json_codec.h"
#include "harness/runner/cells/shell_word.h"
#include "harness/runner/process/environment.h"
#include "harness/runner/process/timing_core.h"
#include "harness/runner/progress.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

int ListCases(const BenchOptions& o, const CommandContext& context) {
  for (const BenchCase& c : ChooseBenchCases(o.wish, context.methods)) Print("{}\n", c.Name());
  return kExitOk;
}

int RunBench(const BenchOptions& o, const CommandContext& context) {
  const SignalsInterrupt interruptible;
  if (o.list) return ListCases(o, context);
  if (!o.against.empty()) return BenchAgainst(o, context);
  if (!o.pair.empty()) return BenchPair(o, context);
  if (o.gate) return BenchGate(o, context);
  return o.move ? MoveBaselines(o, context) : BenchTimes(o, context);
}

// ---- plain times

struct TimedCase {
  BenchCase bench_case;
  std::string failure = {};
  BenchTimesRecord times = {};
};

std::string Failure(const Ending& ending) {
  return ending.outcome == Outcome::kOk
             ? "it ended without a time"
             : fmt::format("{}: {}", Name(ending.outcome), ending.reason);
}

// One round of a case and of the control kernel.
void TimeOnce(const Contestant& myself, double milliseconds, BenchProcesses& processes,
              TimedCase& timed) {
  const TrialResult control =
      processes.Ask(myself, {.job = "control", .milliseconds = milliseconds / 2});
  const TrialResult result = processes.Ask(
      myself, {.job = "time", .bench_case = timed.bench_case, .milliseconds = milliseconds});
  if (!control.cpu_seconds) {
    timed.failure = "the control kernel failed: " + Failure(control.ending);
    return;
  }
  if (result.ending.outcome != Outcome::kOk || !result.cpu_seconds) {
    timed.failure = Failure(result.ending);
    return;
  }
  BenchTimesRecord& times = timed.times;
  times.cpu_seconds.push_back(*result.cpu_seconds);
  times.wall_seconds.push_back(*result.wall_seconds);
  times.control_seconds.push_back(*control.cpu_seconds);
  Lower(times.cpu_minimum, result.cpu_seconds);
  Lower(times.control_minimum, control.cpu_seconds);
}

// Rounds of all cases, each round in a new random order.
void TimeCases(const BenchOptions& o, const CommandContext& context, BenchProcesses& processes,
               std::vector<TimedCase>& cases) {
  Progress progress(stderr);
  const Contestant myself = Myself(context);
  std::mt19937_64 random(o.seed);
  std::vector<std::size_t> order(cases.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::size_t ended = 0;
  for (int round = 0; round < o.rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t k = 0; k < order.size(); ++k) {
      TimedCase& timed = cases[order[k]];
      if (!timed.failure.empty()) continue;
      progress.Show([&] {
        return fmt::format("[round {}/{}, {}/{}] {}", round + 1, o.rounds, k + 1, order.size(),
                           timed.bench_case.Name());
      });
      TimeOnce(myself, o.milliseconds, processes, timed);
      if (round + 1 < o.rounds && timed.failure.empty()) continue;
      progress.ShowEnd(fmt::format(
          "[{}/{}] {}: {}", ++ended, cases.size(), timed.bench_case.Name(),
          timed.failure.empty() ? Nanoseconds(*timed.times.cpu_minimum) : timed.failure));
    }
  }
}

void PrintTimes(const std::vector<TimedCase>& cases, const std::string& why_no_counts) {
  std::size_t width = 4;
  for (const TimedCase& timed : cases) width = std::max(width, timed.bench_case.Name().size());
  Print("{:<{}} {:>11} {:>13} {:>13}\n", "case", width, "CPU, least", "times control",
        "instructions");
  for (const TimedCase& timed : cases) {
    const std::string name = timed.bench_case.Name();
    if (!timed.failure.empty()) {
      PrintWrapped(fmt::format("{:<{}} ", name, width), timed.failure);
      continue;
    }
    const BenchTimesRecord& times = timed.times;
    Print("{:<{}} {:>11} {:>13.3g} {:>13}\n", name, width, Nanoseconds(*times.cpu_minimum),
          *times.cpu_minimum / *times.control_minimum,
          times.instructions ? fmt::format("{:.0f}", *times.instructions) : "-");
  }
  std::string why = why_no_counts;
  for (const TimedCase& timed : cases) {
    if (why.empty() && timed.failure.empty()) why = timed.times.instructions_reason;
  }
  if (!why.empty()) PrintWrapped("no instructions: ", why);
}

}  // namespace

Contestant Myself(const CommandContext& context) { return {"/proc/self/exe", context.plugins}; }

BenchRunRow NewBenchRun(const BenchOptions& o, const CommandContext& context) {
  BenchRunRow run{{.id = RandomId(),
                   .started = UtcNow(),
                   .command = context.typed,
                   .seed = static_cast<std::int64_t>(o.seed),
                   .machine = ThisMachine(),
                   .build = ThisBuild(HashOfBinary(context.plugins))}};
  WarnOfPlugins(run.build);
  if (CoreForTiming().is_shared) Print(stderr, "{}\n", kCoreIsShared);
  return run;
}

std::string Nanoseconds(double seconds) {
  if (seconds < 1e-5) return fmt::format("{:.4g} ns", 1e9 * seconds);
  if (seconds < 1e-2) return fmt::format("{:.4g} us", 1e6 * seconds);
  return fmt::format("{:.4g} ms", 1e3 * seconds);
}

int BenchTimes(const BenchOptions& o, const CommandContext& context) {
  std::vector<TimedCase> cases;
  for (BenchCase& c : ChooseBenchCases(o.wish, context.methods)) cases.push_back({.bench_case = c});
  Store store = Store::OpenToWrite(o.store);
  BenchRunRow run = NewBenchRun(o, context);
  store.Put(run);
  BenchProcesses processes(context.methods);
  TimeCases(o, context, processes, cases);
  std::string why_no_counts;
  if (ProfilerVersion()) {
    std::vector<BenchCase> list;
    for (const TimedCase& timed : cases) list.push_back(timed.bench_case);
    Progress progress(stderr);
    progress.Show([] { return "counting instructions"; });
    const std::vector<InstructionCount> counts =
        CountInstructions(Myself(context), list, processes);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      cases[i].times.instructions = counts[i].instructions;
      cases[i].times.instructions_reason = counts[i].reason;
    }
  } else {
    why_no_counts = "valgrind is not installed (Debian package valgrind)";
  }
  Json list = Json::array();
  bool failed = false;
  for (const TimedCase& timed : cases) {
    const BenchRecord record{.failure = timed.failure, .times = timed.times};
    const BenchCase& c = timed.bench_case;
    store.Put(BenchRow{run.id, "time", c.Name(), c.problem, c.method, c.what, "",
                       timed.times.cpu_minimum, record});
    Json one{{"name", c.Name()}};
    one.update(ToJson(record));
    list.push_back(std::move(one));
    failed = failed || !timed.failure.empty();
  }
  run.finished = UtcNow();
  store.Put(run);
  if (o.json) {
    PrintJson({{"run", run.id},
               {"machine", ToJson(run.machine)},
               {"build", ToJson(run.build)},
               {"cases", list}});
  } else {
    PrintTimes(cases, why_no_counts);
    Print("recorded in {}; '{} report{}' shows its history\n", o.store, Program(),
          o.store == kDefaultStore ? "" : " --store " + ShellWord(o.store));
  }
  return failed ? kExitCellFailed : kExitOk;
}

void AddBenchCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "bench", "Time small kernels, pair builds or methods, and compare with baselines",
      fmt::format(
          R"(Without --against, --pair, --gate or --move-baselines: prints the least CPU time of one
evaluation or solve over rounds of fresh pinned processes, with a frozen control kernel, and the
instructions if valgrind is installed.

--against EXECUTABLE and --pair run base, candidate and control kernel round by round, in random
order. Results come first: if outcome, error or counters differ, there is no verdict on time. Rounds
in which the control kernel changed by more than {:g} % are dropped. A screening of {} rounds flags
a case (one-sided Wilcoxon p < {:g}, and a median ratio beyond {:g} % and {:g} times the case's own
noise); {} fresh rounds confirm it, with p adjusted after Holm.

--gate compares with the baselines: instructions ({:g} %), and outcome, error and exact counters of
the quick cells. A baseline that was not run counts as worse. The methods of loaded plug-ins are
included, and a kernel or cell of theirs without a baseline gives exit code 5. Counters are not
compared on another processor. Another compiler, other flags or libraries, or a missing valgrind
give no verdict: exit code 5. --move-baselines accepts an intended change, prints the differences
and stores the reason.

Examples:
  mbsbench bench --case 'tree12*'
  mbsbench bench --against build/before/mbsbench
  mbsbench bench --pair articulated-body riccati-mstmm --problem tree12
  build/ci/mbsbench bench --gate

Exit codes: 0 nothing got worse; 1 something got worse; 2 bad usage or input; 3 a benchmark did not
end ok; 4 internal error; 5 nothing got worse, but something is not gated or inconclusive; 130
interrupted.)",
          100 * kMovedControl, kScreeningRounds, kSignificance, 100 * kLeastChange, kTimesNoise,
          kConfirmingRounds, 100 * kInstructionLimit));
  const auto o = std::make_shared<BenchOptions>();
  o->store = kDefaultStore;
  AddOption(*command, "--case", o->wish.patterns, "GLOB",
            "Cases of the list by name, \"problem method what\" (all); may be repeated");
  CLI::Option* const list = command->add_flag("--list", o->list, "Print the names of the cases");
  AddOption(*command, "--problem", o->wish.problem, "PROBLEM", "A case of your own: this problem");
  AddOption(*command, "--method", o->wish.methods, "METHOD",
            "... and this method; may be repeated");
  AddOption(*command, "--what", o->wish.what, "WHAT",
            "... 'solve' instead of one evaluation: a tenth of the problem's time, at 1e-8");
  AddStore(*command, o->store, "The store; it is created if there is none");
  CLI::Option* const against =
      AddOption(*command, "--against", o->against, "EXECUTABLE",
                "Pair with this other mbsbench, the base; this one is the candidate");
  AddOption(*command, "--against-plugin", o->against_plugins, "FILE",
            "A plug-in for that executable; may be repeated")
      ->needs(against);
  CLI::Option* const pair =
      AddOption(*command, "--pair", o->pair, "METHOD",
                "Pair two methods of this executable on --problem: base, candidate")
          ->expected(2)
          ->option_text("METHOD METHOD");
  CLI::Option* const gate = command->add_flag("--gate", o->gate, "Compare with the baselines");
  CLI::Option* const move = command->add_flag(
      "--move-baselines", o->move, "Replace all baselines by the current values; needs --reason");
  CLI::Option* const reason =
      AddOption(*command, "--reason", o->reason, "TEXT", "Why the baselines move; stored with them")
          ->needs(move);
  move->needs(reason);
  const std::vector<CLI::Option*> actions{list, against, pair, gate, move};
  for (std::size_t i = 0; i < actions.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) actions[i]->excludes(actions[k]);
  }
  AddOption(*command, "--baselines", o->baselines, "FOLDER",
            "Folder of the baselines (tests/baselines of the sources)");
  o->baselines = MBSBENCH_SOURCE_DIR "/tests/baselines";  // too long for the help
  AddOption(*command, "--run", o->run, "RUN",
            "Cells from this run (FILE or FILE:RUN_ID) instead of running the quick ones");
  AddNumber(*command, "--milliseconds", o->milliseconds, "MS",
            {"a number from 10 to 10000", [](double x) { return x >= 10 && x <= 10'000; }},
            "CPU time of each timed process");
  CLI::Option* const rounds = AddNumber(*command, "--rounds", o->rounds, "N", WholeNumber(1, 1000),
                                        "Rounds of plain times");
  AddNumber(*command, "--seed", o->seed, "N", WholeNumber(0, UINT64_MAX),
            "Seed of the order of rounds");
  command->add_flag("--json", o->json, "As one JSON document: times, --against, --pair")
      ->excludes(list)
      ->excludes(gate)
      ->excludes(move);
  for (CLI::Option* const action : actions) rounds->excludes(action);
  command->callback([&context, o] {
    std::vector<std::string> asked = o->wish.methods;
    asked.insert(asked.end(), o->pair.begin(), o->pair.end());
    if (!asked.empty()) AskForEngines(asked, context);  // none are on the list of benchmarks
    if (!o->run.empty() && !o->gate && !o->move)
      throw ModelError("--run is for --gate and --move-baselines: give one of them.");
    context.exit_code = RunBench(*o, context);
  });
}

}  // namespace mbsbench
