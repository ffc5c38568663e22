// mbsbench bench --against and --pair: paired times and verdicts.
#include <fmt/format.h>

#include <algorithm>

#include "commands/bench.h"
#include "commands/compare_formats.h"
#include "commands/text.h"
#include "harness/records/json_codec.h"
#include "harness/runner/process/environment.h"
#include "harness/runner/progress.h"
#include "harness/store/plugins_of_build.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// ---- records

std::vector<std::vector<double>> NumbersOf(const std::vector<PairedRound>& rounds) {
  std::vector<std::vector<double>> list;
  for (const PairedRound& r : rounds)
    list.push_back({r.base, r.candidate, r.control, r.base_wall, r.candidate_wall});
  return list;
}

BenchRecord RecordOf(const PairedResult& r, const std::string& base_method) {
  PairedRecord paired{base_method, Document(r.compared.truth), Document(r.compared.work), {},
                      r.confirmed, NumbersOf(r.screening),     NumbersOf(r.confirming)};
  if (!r.truth_changed()) paired.screened = r.screened;
  return {r.failure, {}, std::move(paired)};
}

std::string VerdictOf(const PairedResult& r) {
  return r.truth_changed() ? std::string(Name(r.direction())) : r.judged().verdict;
}

Json Record(const std::vector<PairedResult>& results, const std::string& base_method,
            BenchRunRow run, Store& store) {
  Json list = Json::array();
  for (const PairedResult& r : results) {
    const BenchCase& c = r.bench_case;
    const BenchRecord record = RecordOf(r, base_method.empty() ? c.method : base_method);
    store.Put(BenchRow{
        run.id, "paired", c.Name(), c.problem, c.method, c.what, VerdictOf(r), {}, record});
    Json one{{"name", c.Name()}, {"verdict", VerdictOf(r)}};
    one.update(ToJson(record));
    list.push_back(std::move(one));
  }
  run.finished = UtcNow();
  store.Put(run);
  return list;
}

struct Paired {
  std::vector<PairedResult> results;
  Json documents;  // one per result
};
// Runs the cases and records them. `base_method`: where it is another than the candidate's.
Paired PairAndRecord(const BenchOptions& o, const BenchRunRow& run, const Contestant& base,
                     const Contestant& candidate, const std::vector<BenchCase>& cases,
                     const std::string& base_method, BenchProcesses& processes) {
  Store store = Store::OpenToWrite(o.store);
  store.Put(run);
  Progress progress(stderr);
  Paired paired;
  paired.results = RunPaired(base, candidate, cases, o.milliseconds, o.seed, processes, progress);
  paired.documents = Record(paired.results, base_method, run, store);
  return paired;
}

// ---- text

std::string RatioText(const JudgedRounds& j) {
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", j.ratio, j.low, j.high);
}

void PrintResult(const PairedResult& r, std::size_t width) {
  const std::string lead = fmt::format("{:<12} {:<{}} ", VerdictOf(r), r.bench_case.Name(), width);
  if (!r.failure.empty()) {
    PrintWrapped(lead, "not timed: " + r.failure);
    return;
  }
  if (r.truth_changed()) {
    Print("{}times not compared: results differ\n", lead);
    PrintChanges(r.compared.truth, r.compared.work, true);
    return;
  }
  const JudgedRounds& j = r.judged();
  Print("{}{}\n", lead, j.ratio > 0 ? RatioText(j) : "");
  if (!j.reason.empty()) PrintWrapped("    ", j.reason);
  if (r.confirmed && j.verdict == Name(Direction::kAlike))
    Print("    {} in the screening ({:.4f}); alike in the fresh rounds\n", r.screened.verdict,
          r.screened.ratio);
}

int Count(const std::vector<PairedResult>& results, Direction direction) {
  return static_cast<int>(
      std::count_if(results.begin(), results.end(),
                    [direction](const PairedResult& r) { return r.direction() == direction; }));
}

void PrintText(const std::vector<PairedResult>& results) {
  std::size_t width = 4;
  for (const PairedResult& r : results) width = std::max(width, r.bench_case.Name().size());
  Print("{:<12} {:<{}} {}\n", "verdict", "case", width, "candidate / base, 95 % interval");
  for (const PairedResult& r : results) PrintResult(r, width);
}

std::string Described(const BuildRecord& build) {
  return fmt::format("build {}, {}, {}", OrUnknown(build.commit), OrUnknown(build.compiler),
                     OrUnknown(build.flags));
}

}  // namespace

int BenchAgainst(const BenchOptions& o, const CommandContext& context) {
  BenchProcesses processes(context.methods);
  const Contestant candidate = Myself(context);
  Contestant base{std::filesystem::absolute(o.against)};
  for (const std::string& plugin : o.against_plugins)
    base.plugins.push_back(std::filesystem::absolute(plugin));
  const DescribedBuild described = Describe(base, processes);
  std::vector<BenchCase> cases;
  std::vector<std::string> only_here;
  for (const BenchCase& c : ChooseBenchCases(o.wish, context.methods)) {
    const std::string key = c.method.substr(0, c.method.find(':'));
    if (std::ranges::count(described.methods, key) > 0)
      cases.push_back(c);
    else
      only_here.push_back(c.Name());
  }
  if (cases.empty())
    throw ModelError("'" + o.against + "' lists none of the methods that are to be compared.");
  BenchRunRow run = NewBenchRun(o, context);
  run.base = described.build;
  WarnOfPlugins(described.build);
  const auto& [results, documents] = PairAndRecord(o, run, base, candidate, cases, "", processes);
  const int worse = Count(results, Direction::kWorse), better = Count(results, Direction::kBetter);
  const auto inconclusive = std::count_if(
      results.begin(), results.end(), [](const PairedResult& r) { return r.is_inconclusive(); });
  const auto failed = std::count_if(results.begin(), results.end(),
                                    [](const PairedResult& r) { return !r.failure.empty(); });
  if (o.json) {
    PrintJson({{"base", ToJson(run.base)},
               {"candidate", ToJson(run.build)},
               {"machine", ToJson(run.machine)},
               {"only_here", only_here},
               {"counts",
                {{"worse", worse},
                 {"better", better},
                 {"inconclusive", inconclusive},
                 {"failed", failed}}},
               {"cases", documents}});
  } else {
    Print("base       {}\ncandidate  {}\n", Described(described.build), Described(run.build));
    if (described.build.binary_hash == run.build.binary_hash)
      Print("both are the same executable: a flagged case is a false alarm\n");
    if (described.build.compiler != run.build.compiler)
      Print("note: they were built with different compilers\n");
    if (described.build.flags != run.build.flags)
      Print("note: they were built with different flags\n");
    if (const std::string differ = PluginDifferences(described.build, run.build); !differ.empty())
      Print("note: {}\n", differ);
    PrintText(results);
    for (const std::string& name : only_here) Print("only here    {}\n", name);
    Print("\n{} compared: {} worse, {} better, {} inconclusive{}\n", results.size(), worse, better,
          inconclusive, failed > 0 ? fmt::format(", {} failed", failed) : "");
  }
  if (worse > 0) return kExitWorse;
  if (failed > 0) return kExitCellFailed;
  return inconclusive > 0 ? kExitInconclusive : kExitOk;
}

int BenchPair(const BenchOptions& o, const CommandContext& context) {
  if (o.wish.problem.empty())
    throw ModelError("--pair needs the problem on which the methods are paired: give --problem.");
  if (!o.wish.methods.empty() || !o.wish.patterns.empty())
    throw ModelError("--pair names the methods: leave out --method and --case.");
  BenchWish wish = o.wish;
  wish.methods = o.pair;
  const std::vector<BenchCase> both = ChooseBenchCases(wish, context.methods);
  if (both[0].what != both[1].what) {
    throw ModelError(
        fmt::format("one evaluation of '{}' is {}, and one of '{}' is {}: not the same work. Give "
                    "--what solve.",
                    both[0].method, both[0].what, both[1].method, both[1].what));
  }
  BenchRunRow run = NewBenchRun(o, context);
  run.base = run.build;
  Contestant base = Myself(context), candidate = Myself(context);
  base.method = both[0].method;
  candidate.method = both[1].method;
  BenchProcesses processes(context.methods);
  const auto& [results, documents] =
      PairAndRecord(o, run, base, candidate, {both[1]}, base.method, processes);
  const PairedResult& result = results.front();
  if (o.json) {
    PrintJson({{"base", base.method},
               {"candidate", candidate.method},
               {"machine", ToJson(run.machine)},
               {"build", ToJson(run.build)},
               {"base_truth", result.base_truth.answer},
               {"candidate_truth", result.candidate_truth.answer},
               {"case", documents.front()}});
  } else {
    for (const auto& [letter, contestant, truth] :
         {std::tuple{"base      ", &base, &result.base_truth},
          std::tuple{"candidate ", &candidate, &result.candidate_truth}}) {
      const MaybeNumber error = truth->record.LargestError();
      Print("{} {}: {}{}\n", letter, contestant->method, Name(truth->ending.outcome),
            error ? fmt::format(", error {:.2g}", *error) : "");
    }
    if (!result.failure.empty()) {
      PrintWrapped("", "not timed: " + result.failure);
    } else if (result.judged().ratio > 0) {
      Print(
          "{} of {}: {} times the CPU time of the base, 95 % interval; {} rounds kept, {} "
          "dropped\n",
          result.bench_case.what, result.bench_case.problem, RatioText(result.judged()),
          *result.judged().kept, *result.judged().dropped);
    }
    if (result.is_inconclusive()) PrintWrapped("inconclusive: ", result.judged().reason);
  }
  if (!result.failure.empty()) return kExitCellFailed;
  return result.is_inconclusive() ? kExitInconclusive : kExitOk;
}

}  // namespace mbsbench
