// mbsbench bench --gate and --move-baselines: a method that gets slower or less exact is noticed.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "commands/bench.h"
#include "commands/compare_formats.h"
#include "commands/run_choice.h"
#include "commands/text.h"
#include "harness/bench/baselines.h"
#include "harness/bench/instructions.h"
#include "harness/bench/scratch_folder.h"
#include "harness/records/json_codec.h"
#include "harness/runner/process/environment.h"
#include "harness/runner/run.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// A quick cell takes a second or two; the limit leaves room for slow machines.
const ProcessLimits kCellLimits{.seconds = 60, .bytes = std::int64_t{2048} << 20};

// The current measurements.
struct Current {
  BuildRecord build;
  MachineRecord machine;
  std::vector<BenchCase> cases;
  Json instruction_key;  // null without valgrind
  std::map<std::string, double> instructions;
  std::map<std::string, std::string> uncounted;  // name of the case -> why
  RunContent cells;
};

// The quick cells, judged and not timed.
RunContent RunCells(const BenchOptions& o, const CommandContext& context) {
  const ScratchFolder folder;
  RunOptions options;
  options.selection.tier = Tier::kQuick;
  if (!o.wish.problem.empty()) options.selection.problems = {o.wish.problem};
  options.selection.methods = o.wish.methods;
  options.store = folder.path() / "gate.sqlite";
  options.executable = "/proc/self/exe";
  options.plugins = context.plugins;
  options.command = context.typed;
  options.rounds = 0;
  options.limits = kCellLimits;
  options.progress = stderr;
  RunComparison(options, MakePlan(options.selection, context.methods));
  const Store store = Store::OpenToRead(options.store);
  return ReadContent(store, store.Runs().back());
}

RunContent CellsOfRun(const BenchOptions& o, const std::string& binary_hash) {
  const ChosenRun chosen = ChooseRun(o.run, "");
  if (chosen.run.build.binary_hash != binary_hash) {
    throw ModelError("run " + chosen.run.id.substr(0, 8) + " of '" + chosen.store.string() +
                     "' was made by another build: run again with this one.");
  }
  std::vector<std::string> damaged;
  RunContent content = ReadContent(Store::OpenToRead(chosen.store, &damaged), chosen.run);
  PrintWarnings(damaged, stderr);
  return content;
}

Current Measure(const BenchOptions& o, const CommandContext& context) {
  Current now;
  now.build = ThisBuild(HashOfBinary(context.plugins));
  WarnOfPlugins(now.build);
  now.machine = ThisMachine();
  now.cases = ChooseBenchCases(o.wish, context.methods);
  if (const std::optional<std::string> profiler = ProfilerVersion()) {
    now.instruction_key = InstructionKey(now.build, *profiler);
    BenchProcesses processes(context.methods);
    const std::vector<InstructionCount> counts =
        CountInstructions(Myself(context), now.cases, processes);
    for (std::size_t i = 0; i < now.cases.size(); ++i) {
      if (counts[i].instructions)
        now.instructions[now.cases[i].Name()] = *counts[i].instructions;
      else
        now.uncounted[now.cases[i].Name()] = counts[i].reason;
    }
  }
  now.cells = o.run.empty() ? RunCells(o, context) : CellsOfRun(o, now.build.binary_hash);
  // Evaluations are only timed, and only in a timed run; the agreement judges their results.
  std::erase_if(now.cells.cells, [](const auto& cell) { return cell.first.kind == "evaluation"; });
  return now;
}

void PrintUncounted(const Current& now) {
  if (now.instruction_key.is_null())
    Print("instructions: not counted, valgrind is not installed (Debian package valgrind)\n");
  for (const auto& [name, reason] : now.uncounted)
    PrintWrapped("not counted  ", name + ": " + reason);
}

struct Tally {
  int worse = 0, better = 0, compared = 0;
  std::vector<std::string> not_gated = {};  // what has no verdict, with the reason
};

// Kernels or cells of one loaded method, and those of them that have a baseline.
struct Share {
  int all = 0, held = 0;
};
bool IsOf(const MethodEntry& entry, const std::string& spec) {
  return spec.substr(0, spec.find(':')) == entry.key;
}

// Records the kernels or cells of loaded plug-ins that have no baseline.
void AddUngatedPlugIns(const CommandContext& context, const char* what,
                       const std::function<Share(const MethodEntry&)>& share_of, Tally& tally) {
  for (const MethodEntry& entry : context.methods) {
    if (entry.origin != Origin::kPlugIn) continue;
    const Share share = share_of(entry);
    if (share.all == 0) {
      tally.not_gated.push_back(fmt::format(
          "{} of the plug-in's method '{}', because none was benched", what, entry.key));
    } else if (share.held < share.all) {
      tally.not_gated.push_back(
          fmt::format("{} of {} {} of the plug-in's method '{}', because they have no baseline",
                      share.all - share.held, share.all, what, entry.key));
    }
  }
}

// Whether the call asks for this cell of the baselines; other cells may be absent from this run.
bool IsAskedFor(const BenchWish& wish, const CellName& name) {
  const auto is = [](const std::string& spec, const std::string& asked) {
    return spec == asked || spec.rfind(asked + ":", 0) == 0;
  };
  if (!wish.problem.empty() && !is(name.problem, wish.problem)) return false;
  return wish.methods.empty() ||
         std::any_of(wish.methods.begin(), wish.methods.end(),
                     [&](const std::string& m) { return is(name.method, m); });
}
bool IsWhole(const BenchWish& wish) {
  return wish.problem.empty() && wish.methods.empty() && wish.patterns.empty();
}

Tally GateInstructions(const BenchOptions& o, const Current& now, const CommandContext& context) {
  Tally tally;
  PrintUncounted(now);
  if (now.instruction_key.is_null()) {
    tally.not_gated.push_back("instructions, because valgrind is not installed");
    return tally;
  }
  const InstructionBaselines baselines = ReadInstructionBaselines(o.baselines);
  const auto found = baselines.builds.find(now.instruction_key.dump());
  if (found == baselines.builds.end()) {
    tally.not_gated.push_back(fmt::format(
        "instructions, because no baseline was counted with {}, {}, these libraries "
        "and valgrind {}",
        now.build.compiler, now.build.flags, now.instruction_key.value("valgrind", "")));
    return tally;
  }
  const std::map<std::string, double>& baseline = found->second.instructions;
  for (const auto& [name, count] : now.instructions) {
    const auto held = baseline.find(name);
    if (held == baseline.end()) {
      PrintWrapped("no baseline  ", fmt::format("{}: {:.0f} instructions", name, count));
      continue;
    }
    ++tally.compared;
    const Direction direction = DirectionOfCounts(held->second, count);
    if (direction == Direction::kAlike) continue;
    ++(direction == Direction::kWorse ? tally.worse : tally.better);
    PrintWrapped(direction == Direction::kWorse ? "WORSE   " : "better  ",
                 fmt::format("{}: {:.0f} -> {:.0f} instructions, {:+.2f} %", name, held->second,
                             count, 100 * (count / held->second - 1)));
  }
  // A kernel that can no longer be counted, or that is missing, counts as worse.
  for (const auto& [name, count] : baseline) {
    const bool failed = now.uncounted.count(name) > 0,
               vanished = IsWhole(o.wish) && now.instructions.count(name) == 0;
    if (!failed && !vanished) continue;
    ++tally.worse;
    PrintWrapped("WORSE   ",
                 name + (failed ? ": it was counted before" : ": it is no longer among the cases"));
  }
  AddUngatedPlugIns(
      context, "kernels",
      [&](const MethodEntry& entry) {
        Share share;
        for (const BenchCase& c : now.cases) {
          if (!IsOf(entry, c.method)) continue;
          ++share.all;
          share.held += static_cast<int>(baseline.count(c.Name()));
        }
        return share;
      },
      tally);
  Print("instructions: {} compared, {} worse, {} better\n", tally.compared, tally.worse,
        tally.better);
  return tally;
}

void PrintCell(const ComparedCell& cell) {
  const Direction direction = cell.direction();
  if (direction == Direction::kAlike) return;
  PrintWrapped(direction == Direction::kWorse    ? "WORSE   "
               : direction == Direction::kBetter ? "better  "
                                                 : "changed ",
               cell.name.Text());
  PrintChanges(cell.truth, cell.work, false);
}

// Cells of the baseline that this run should hold and does not.
int PrintVanished(const BenchWish& wish, const std::vector<CellName>& not_run) {
  int count = 0;
  for (const CellName& name : not_run) {
    if (!IsAskedFor(wish, name)) continue;
    ++count;
    PrintWrapped("WORSE   ", name.Text() + ": it was not run");
  }
  return count;
}

Tally GateCells(const BenchOptions& o, const Current& now, const CommandContext& context) {
  const CellBaselines baselines = ReadCellBaselines(o.baselines);
  if (baselines.content.cells.empty())
    return {.not_gated = {"cells, because they have no baseline"}};
  const CellGate gate = CompareCells(baselines, CellKey(now.build, now.machine), now.cells);
  for (const ComparedCell& cell : gate.comparison.cells) PrintCell(cell);
  for (const std::string& note : gate.comparison.notes) PrintWrapped("note: ", note);
  const int vanished = PrintVanished(o.wish, gate.comparison.only_a);
  Tally tally{gate.comparison.Count(Direction::kWorse) + vanished,
              gate.comparison.Count(Direction::kBetter),
              static_cast<int>(gate.comparison.cells.size())};
  const auto is_tried = [&now](const CellName& name) {
    const std::string& outcome = now.cells.cells.at(name).outcome;
    return outcome != "unsupported" && outcome != "skipped";
  };
  AddUngatedPlugIns(
      context, "cells",
      [&](const MethodEntry& entry) {
        Share share;
        for (const auto& [name, cell] : now.cells.cells) {
          if (!IsOf(entry, name.method) || !is_tried(name)) continue;
          ++share.all;
          share.held += static_cast<int>(baselines.content.cells.count(name));
        }
        return share;
      },
      tally);
  switch (gate.match) {
    case KeyMatch::kSame: break;
    case KeyMatch::kOtherProcessor:
      PrintWrapped("counters: ",
                   "not compared, because rounding may differ from the baseline's processor; "
                   "outcomes are compared, and errors within a wider factor");
      break;
    case KeyMatch::kOtherBuild:
      tally.not_gated.push_back(
          "exact counters of cells, because the baseline is of another "
          "compiler, other flags or other libraries");
      break;
  }
  Print(
      "cells: {} compared, {} worse ({} of them not run), {} better, {} changed, {} without "
      "baseline\n",
      tally.compared, tally.worse, vanished, tally.better,
      gate.comparison.Count(Direction::kChanged),
      std::count_if(gate.comparison.only_b.begin(), gate.comparison.only_b.end(), is_tried));
  return tally;
}

// Baselines with which nothing could ever be worse are not made.
void CheckNewBaselines(const Current& now) {
  if (now.cells.cells.empty())
    throw ModelError("no cell was run, so the baselines would be empty: choose other cells.");
  if (!now.instruction_key.is_null() && now.instructions.empty()) {
    const auto& [name, reason] = *now.uncounted.begin();
    throw ModelError(fmt::format(
        "no kernel could be counted, so the baselines would be empty: '{}': {}.", name, reason));
  }
}

}  // namespace

int BenchGate(const BenchOptions& o, const CommandContext& context) {
  CheckHoldBaselines(o.baselines);
  const Current now = Measure(o, context);
  const Tally instructions = GateInstructions(o, now, context), cells = GateCells(o, now, context);
  if (instructions.worse + cells.worse > 0) {
    PrintWrapped("",
                 "Worse than the baselines. If that is intended, accept it by 'mbsbench bench "
                 "--move-baselines --reason TEXT'.");
    return kExitWorse;
  }
  if (instructions.better + cells.better > 0) {
    PrintWrapped("",
                 "Better than the baselines: 'mbsbench bench --move-baselines' makes it "
                 "the new baseline.");
  }
  bool gated = true;
  for (const Tally* tally : {&instructions, &cells}) {
    for (const std::string& what : tally->not_gated) {
      gated = false;
      PrintWrapped("NOT GATED   ", what + ".");
    }
  }
  return gated ? kExitOk : kExitInconclusive;
}

int MoveBaselines(const BenchOptions& o, const CommandContext& context) {
  // All baselines are replaced at once. Only new baselines may consist of the user's own cases.
  if (!IsWhole(o.wish) && (!ReadCellBaselines(o.baselines).content.cells.empty() ||
                           !ReadInstructionBaselines(o.baselines).builds.empty())) {
    throw ModelError("--move-baselines replaces all baselines in '" + o.baselines +
                     "': leave out --problem, --method and --case.");
  }
  Current now = Measure(o, context);
  CheckNewBaselines(now);
  // Prints the changes before the move.
  GateInstructions(o, now, context);
  GateCells(o, now, context);
  const Json moved{{"reason", o.reason}, {"date", UtcNow()}, {"commit", now.build.commit}};
  if (!now.instruction_key.is_null()) {
    InstructionBaselines baselines = ReadInstructionBaselines(o.baselines);
    baselines.builds[now.instruction_key.dump()] = {now.instructions, moved};
    Write(baselines, o.baselines);
  }
  const std::size_t cells = now.cells.cells.size();
  Write(CellBaselines{CellKey(now.build, now.machine), std::move(now.cells), moved}, o.baselines);
  Print("{} counts of instructions and {} cells are now the baselines in {}\n",
        now.instructions.size(), cells, o.baselines);
  return kExitOk;
}

}  // namespace mbsbench
