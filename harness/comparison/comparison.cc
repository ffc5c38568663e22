#include "harness/comparison/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/comparison/merged_agreement.h"
#include "harness/comparison/plan_shards.h"
#include "harness/comparison/same_machine.h"
#include "harness/records/json_codec.h"
#include "harness/store/plugins_of_build.h"

namespace mbsbench {

namespace {

// The newest instruction counts in this store for the executable of the run, by 'mbsbench bench'; empty if there are none.
// The cells hold `instructions` and `built` (compiler, flags and libraries); counts with different `built` are not comparable.
std::map<CellName, HeldCell> InstructionCounts(const Store& store, const RunRow& run) {
  std::map<CellName, HeldCell> cells;
  const std::string& executable = run.build.binary_hash;
  if (executable.empty()) return cells;
  std::map<std::string, Json> built;  // by the benchmarks' run
  for (const BenchRunRow& bench : store.BenchRuns()) {
    if (bench.build.binary_hash != executable) continue;
    built[bench.id] = ToJson(BuildRecord{.compiler = bench.build.compiler,
                                         .flags = bench.build.flags,
                                         .libraries = bench.build.libraries});
  }
  for (const BenchRow& row : store.Benches()) {  // oldest first
    const auto found = built.find(row.run_id);
    if (found == built.end() || row.kind != "time") continue;
    if (!row.record.times || !row.record.times->instructions) continue;
    cells[{row.problem, row.method, "", {}, {}, {}, "kernel", row.what}] = {
        .outcome = "ok",
        .judged = true,
        .instructions = row.record.times->instructions,
        .built = found->second};
  }
  return cells;
}

}  // namespace

RunContent ReadContent(const Store& store, const RunRow& run) {
  RunContent content;
  const std::set<std::string> runs = RunsOfPlan(store, run.id);  // the shards of a plan are one run
  // Results other than times are equal on every host with this processor and build, and computed once for all of them.
  std::set<std::string> like_it;
  for (const RunRow& other : store.Runs()) {
    if (ProcessorAndBuild(other.machine, other.build) == ProcessorAndBuild(run.machine, run.build))
      like_it.insert(other.id);
  }
  for (ProblemRow& problem : store.Problems()) {
    if (runs.count(problem.run_id) > 0) content.problems[problem.name] = std::move(problem.record);
  }
  std::map<CellName, std::vector<AgreementCheck>> agreements;
  store.ForEachTrialWithoutSeries([&](const TrialRow& trial) {
    if (trial.kind == "budget") return;  // explains an error that is already compared
    const auto problem = content.problems.find(trial.problem);
    const bool is_own = runs.count(trial.run_id) > 0;
    const bool is_timed = trial.kind == "time" || trial.kind == "evaluation";
    if (!is_own &&
        (is_timed || like_it.count(trial.run_id) == 0 || problem == content.problems.end()))
      return;
    if (problem != content.problems.end() &&
        IsOfAnotherProblem(trial.record.problem_hash, problem->second))
      return;
    CellName name{trial, "cell", ""};
    if (trial.kind == "agreement" || trial.kind == "evaluation") {
      name.kind = trial.kind;
      name.what = trial.record.what;
    }
    if (trial.kind == "agreement") {
      agreements[name].push_back({trial.finished, trial.outcome, trial.reason,
                                  trial.record.agreement.value_or(AgreementRecord{})});
      return;
    }
    HeldCell& held = content.cells[name];
    if (trial.kind == "time") {
      if (trial.outcome == "ok" || trial.outcome == "inaccurate" || trial.outcome == "no_reference")
        Lower(held.seconds, trial.cpu_seconds);
      held.doubtful = held.doubtful || !trial.reason.empty();
      if (held.judged) return;
    }
    if (!is_own && held.judged) return;
    held.judged = trial.kind != "time";
    held.outcome = trial.outcome;
    held.reason = trial.reason;
    held.record = trial.record;
    if (trial.kind == "evaluation") held.seconds = trial.cpu_seconds;
  });
  for (auto& [name, checks] : agreements) {
    AgreementCheck merged = MergedAgreement(std::move(checks));
    HeldCell& held = content.cells[name] = {.outcome = merged.outcome, .reason = merged.reason};
    held.judged = true;
    held.record.agreement = std::move(merged.record);
  }
  // Rounds without a judged trial belong to a cell that will be judged again.
  std::erase_if(content.cells, [](const auto& cell) { return !cell.second.judged; });
  if (content.cells.empty()) {
    throw StoreError(
        fmt::format("run {} of the store '{}' holds no finished trial, so there is nothing to "
                    "compare.",
                    run.id, store.path().string()));
  }
  content.cells.merge(InstructionCounts(store, run));
  return content;
}

namespace {

// ---- outcomes

// Lower is better; two outcomes of one rank are neither better nor worse than each other.
int Rank(const std::string& outcome) {
  if (outcome == "ok") return 0;
  if (outcome == "no_reference") return 1;
  if (outcome == "inaccurate") return 2;
  return outcome == "crashed" ? 4 : 3;  // a refusal is better than a crash
}

bool LimitsDecide(const std::string& outcome) {
  return outcome == "timeout" || outcome == "out_of_memory" || outcome == "skipped";
}

// The difference as a sentence, if the limits of one side are narrower than those of the other.
std::string LimitsDiffer(const HeldCell& narrower, const HeldCell& wider) {
  const std::optional<ProcessLimits>&narrow = narrower.record.limits, &wide = wider.record.limits;
  if (!narrow || !wide) return "";
  const auto sentence = [](double less, double more, const char* unit) {
    return fmt::format("its limit was {:.10g} {}, the limit of the other {:.10g} {}", less, unit,
                       more, unit);
  };
  if (narrow->seconds < wide->seconds) return sentence(narrow->seconds, wide->seconds, "s");
  if (narrow->bytes < wide->bytes)
    return sentence(static_cast<double>(narrow->bytes), static_cast<double>(wide->bytes), "bytes");
  return "";
}

std::optional<Change> CompareOutcomes(const HeldCell& a, const HeldCell& b) {
  if (a.outcome == b.outcome) return std::nullopt;
  Change change{"outcome", a.outcome, b.outcome, Direction::kChanged, ""};
  const int from = Rank(a.outcome), to = Rank(b.outcome);
  if (from != to) change.direction = to > from ? Direction::kWorse : Direction::kBetter;
  const std::string& reason = to >= from ? b.reason : a.reason;
  if (!reason.empty()) change.note = (to >= from ? "" : "was: ") + reason;
  // A difference of the limits is neither an improvement nor a regression of the method.
  std::string limits;
  if (LimitsDecide(b.outcome))
    limits = LimitsDiffer(b, a);
  else if (LimitsDecide(a.outcome))
    limits = LimitsDiffer(a, b);
  if (!limits.empty()) {
    change.direction = Direction::kChanged;
    change.note += (change.note.empty() ? "" : "; ") + limits;
  }
  return change;
}

// ---- errors and drifts

void CompareSize(const std::string& what, std::optional<double> a, std::optional<double> b,
                 double factor, double floor, std::vector<Change>& changes) {
  if (!a && !b) return;
  Change change{what, NumberOrNull(a), NumberOrNull(b), Direction::kAlike, ""};
  if (a && b) {
    const double before = std::max(*a, floor), after = std::max(*b, floor);
    if (after > factor * before) {
      change.direction = Direction::kWorse;
      change.note = fmt::format("{:.3g} times", after / before);
    } else if (before > factor * after) {
      change.direction = Direction::kBetter;
      change.note = fmt::format("{:.3g} times", before / after);
    }
  } else {
    change.direction = a ? Direction::kWorse : Direction::kBetter;
    change.note = a ? "no longer known" : "not known before";
  }
  if (change.direction != Direction::kAlike) changes.push_back(std::move(change));
}

bool IsFinished(const std::string& outcome) { return Rank(outcome) <= 2; }

void CompareAccuracy(const HeldCell& a, const HeldCell& b, double error_floor, double drift_floor,
                     double factor, bool has_one_energy_reference, std::vector<Change>& changes) {
  // An aborted cell has no accuracy.
  if (!IsFinished(a.outcome) || !IsFinished(b.outcome)) return;
  const auto compare = [&](const char* what, MaybeNumber from, MaybeNumber to, double floor) {
    CompareSize(what, IfFinite(from), IfFinite(to), factor, floor, changes);
  };
  static const AccuracyRecord none{
      .position_drift_max = NAN, .velocity_drift_max = NAN, .energy_drift_max = NAN};
  const AccuracyRecord &from = a.record.accuracy ? *a.record.accuracy : none,
                       &to = b.record.accuracy ? *b.record.accuracy : none;
  const ErrorMeasure no_error{.max = NAN, .end = {}, .rms = NAN, .velocity_max = NAN};
  const ErrorMeasure before = from.error.value_or(no_error), after = to.error.value_or(no_error);
  compare("error", before.max, after.max, error_floor);
  compare("error at the end", before.end, after.end, error_floor);
  compare("rms error", before.rms, after.rms, error_floor);
  compare("velocity error", before.velocity_max, after.velocity_max, error_floor);
  compare("error of the reactions", before.reactions_max, after.reactions_max, error_floor);
  compare("position drift", from.position_drift_max, to.position_drift_max, drift_floor);
  compare("velocity drift", from.velocity_drift_max, to.velocity_drift_max, drift_floor);
  if (has_one_energy_reference)
    compare("energy drift", from.energy_drift_max, to.energy_drift_max, drift_floor);
  compare("linear momentum drift", from.linear_momentum_drift_max, to.linear_momentum_drift_max,
          drift_floor);
  compare("angular momentum drift", from.angular_momentum_drift_max, to.angular_momentum_drift_max,
          drift_floor);
}

// By method: the difference of its accelerations from 113 bits and from the other methods. The latter, and the outcome, depend
// on the compared methods: with other methods they are neither better nor worse.
void CompareAgreement(const HeldCell& a, const HeldCell& b, double drift_floor, double factor,
                      std::vector<Change>& changes) {
  using Method = MethodAgreementRecord;
  const std::vector<Method>&from = OrNone(a.record.agreement).methods,
        &to = OrNone(b.record.agreement).methods;
  std::vector<std::pair<const Method*, const Method*>> both;
  for (const Method& method : from) {
    const auto other = std::ranges::find(to, method.method, &Method::method);
    if (other != to.end()) both.emplace_back(&method, &*other);
  }
  std::ranges::sort(both, {}, [](const auto& pair) { return pair.first->method; });
  const bool same_methods = both.size() == from.size() && both.size() == to.size();
  if (!same_methods) {
    for (Change& outcome : changes) {
      outcome.direction = Direction::kChanged;
      outcome.note +=
          (outcome.note.empty() ? "" : "; ") + std::string("other methods were compared");
    }
  }
  for (const auto& [before, after] : both) {
    if (same_methods)
      CompareSize(before->method + ": difference from other methods", before->difference,
                  after->difference, factor, drift_floor, changes);
    CompareSize(before->method + ": error of one evaluation", before->error, after->error, factor,
                drift_floor, changes);
  }
}

// ---- work

void CompareCounters(const HeldCell& a, const HeldCell& b, std::vector<Change>& changes) {
  if (!a.record.integration || !b.record.integration) return;
  const std::vector<NamedCount> from = CountsOf(a.record.integration->counters),
                                to = CountsOf(b.record.integration->counters);
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!from[i].count || !to[i].count || *from[i].count == *to[i].count) continue;
    std::string what = to[i].name;
    std::replace(what.begin(), what.end(), '_', ' ');
    changes.push_back({std::move(what), *from[i].count, *to[i].count,
                       *to[i].count > *from[i].count ? Direction::kWorse : Direction::kBetter, ""});
  }
  // More of one count and less of another is neither better nor worse.
  const auto worse = std::ranges::count(changes, Direction::kWorse, &Change::direction);
  if (worse == 0 || worse == std::ssize(changes)) return;
  for (Change& change : changes) change.direction = Direction::kChanged;
}

void CompareInstructions(const HeldCell& a, const HeldCell& b, std::vector<Change>& changes) {
  if (!a.instructions || !b.instructions) return;
  const double ratio = *b.instructions / *a.instructions;
  Change change{"instructions", *a.instructions, *b.instructions,
                DirectionOfCounts(*a.instructions, *b.instructions),
                fmt::format("{:+.2f} %", 100 * (ratio - 1))};
  if (change.direction == Direction::kAlike) return;
  if (a.built != b.built) {
    change.direction = Direction::kChanged;
    change.note += "; built by another compiler, with other flags or libraries";
  }
  changes.push_back(std::move(change));
}

}  // namespace

ComparedCell CompareCell(const CellName& name, const HeldCell& a, const HeldCell& b,
                         const ProblemRecord& problem_a, const ProblemRecord& problem_b,
                         double factor) {
  const double error_floor = std::max(ErrorFloor(problem_a), ErrorFloor(problem_b)),
               drift_floor = std::max(DriftFloor(problem_a), DriftFloor(problem_b));
  ComparedCell cell;
  cell.name = name;
  if (auto outcome = CompareOutcomes(a, b)) cell.truth.push_back(std::move(*outcome));
  if (name.kind == "agreement")
    CompareAgreement(a, b, drift_floor, factor, cell.truth);
  else
    CompareAccuracy(a, b, error_floor, drift_floor, factor,
                    problem_a.energy_reference == problem_b.energy_reference, cell.truth);
  if (IsFinished(a.outcome) && IsFinished(b.outcome)) CompareCounters(a, b, cell.work);
  CompareInstructions(a, b, cell.work);
  const std::string& bits = a.record.EndStateHash();
  cell.same_bits = !bits.empty() && bits == b.record.EndStateHash();
  if (cell.truth.empty() && !a.doubtful && !b.doubtful) {
    cell.seconds_a = a.seconds;
    cell.seconds_b = b.seconds;
  }
  return cell;
}

namespace {

// ---- notes on the comparison

std::string Described(const MachineRecord& machine) {
  return fmt::format("{}, {} cores", OrUnknown(machine.cpu),
                     machine.cores ? std::to_string(*machine.cores) : "unknown");
}

void NoteRuns(const RunRow& a, const RunRow& b, std::vector<std::string>& notes) {
  if (a.id == b.id) {
    notes.push_back("both are the same run: everything must be alike.");
    return;
  }
  if (a.build.binary_hash == b.build.binary_hash)
    notes.push_back("both runs were made by the same executable.");
  const auto compare = [&notes](const char* what, const std::string& x, const std::string& y) {
    if (x != y)
      notes.push_back(fmt::format("they were built with another {}: {} and {}.", what, OrUnknown(x),
                                  OrUnknown(y)));
  };
  compare("compiler", a.build.compiler, b.build.compiler);
  compare("flags", a.build.flags, b.build.flags);
  compare("preset", a.build.preset, b.build.preset);
  if (const std::string sentence = PluginDifferences(a.build, b.build); !sentence.empty())
    notes.push_back(sentence);
  if (a.build.libraries.list != b.build.libraries.list)
    notes.push_back("they were built with other versions of libraries.");
  if (a.machine.cpu != b.machine.cpu || a.machine.cores != b.machine.cores) {
    notes.push_back(fmt::format("the machines differ ({}; {}): their times are not comparable.",
                                Described(a.machine), Described(b.machine)));
  }
  for (const RunRow* run : {&a, &b}) {
    if (run->finished.empty())
      notes.push_back(fmt::format("run {} has not finished.", run->id.substr(0, 8)));
  }
}

// Errors of the same mechanism are judged by other values.
void NoteReferences(const RunContent& a, const RunContent& b, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (const auto& [name, problem] : a.problems) {
    const auto other = b.problems.find(name);
    if (other != b.problems.end() && ToJson(problem.reference) != ToJson(other->second.reference))
      names.push_back(name);
  }
  if (!names.empty())
    notes.push_back(fmt::format("the references of {} differ.", fmt::join(names, ", ")));
}

const ProblemRecord& ProblemOf(const RunContent& content, const std::string& name) {
  static const ProblemRecord none;
  const auto found = content.problems.find(name);
  return found == content.problems.end() ? none : found->second;
}

}  // namespace

Direction DirectionOfCounts(double before, double after) {
  if (after > (1 + kInstructionLimit) * before) return Direction::kWorse;
  return before > (1 + kInstructionLimit) * after ? Direction::kBetter : Direction::kAlike;
}

double DriftFloor(const ProblemRecord& problem) {
  return std::max(kErrorFloor, kErrorFloorPerBody * problem.bodies.value_or(1));
}

double ErrorFloor(const ProblemRecord& problem) {
  return std::max(DriftFloor(problem), problem.KnownError());
}

std::string OrUnknown(const std::string& text) { return text.empty() ? "unknown" : text; }

std::string_view Name(Direction direction) {
  constexpr std::string_view kNames[] = {"alike", "changed", "better", "worse"};
  return kNames[static_cast<std::size_t>(direction)];
}

Json Document(const std::vector<Change>& changes) {
  Json list = Json::array();
  for (const Change& c : changes) {
    list.push_back({{"what", c.what},
                    {"a", c.a},
                    {"b", c.b},
                    {"direction", Name(c.direction)},
                    {"note", c.note}});
  }
  return list;
}

std::string CellName::Family() const {
  if (kind == "agreement") return "accelerations of all methods on " + problem;
  std::string text = problem + " by " + method;
  if (kind == "kernel") text += ", kernel: " + what;
  if (kind == "evaluation") text += ", one evaluation" + (what.empty() ? "" : ": " + what);
  if (!integrator.empty()) text += ", " + integrator;
  return text;
}

std::string CellName::Text() const {
  const std::string setting = Setting();
  return setting.empty() ? Family() : Family() + " " + setting;
}

Direction ComparedCell::direction() const {
  Direction worst = Direction::kAlike;
  for (const std::vector<Change>* changes : {&truth, &work}) {
    for (const Change& change : *changes) worst = std::max(worst, change.direction);
  }
  return worst;
}

int ComparedRuns::Count(Direction direction) const {
  return static_cast<int>(std::ranges::count(cells, direction, &ComparedCell::direction));
}

ComparedRuns CompareContents(const RunContent& from, const RunContent& to, double factor) {
  ComparedRuns comparison;
  NoteReferences(from, to, comparison.notes);
  for (const auto& [name, held] : from.cells) {
    const auto other = to.cells.find(name);
    if (other == to.cells.end()) {
      comparison.only_a.push_back(name);
      continue;
    }
    const ProblemRecord &before = ProblemOf(from, name.problem),
                        &after = ProblemOf(to, name.problem);
    if (IsOtherMechanism(before.problem_hash, after.problem_hash)) {
      comparison.of_other_mechanisms.push_back(name);
      continue;
    }
    comparison.cells.push_back(CompareCell(name, held, other->second, before, after, factor));
  }
  for (const auto& [name, held] : to.cells) {
    if (from.cells.count(name) == 0) comparison.only_b.push_back(name);
  }
  std::set<std::string> others;
  for (const CellName& name : comparison.of_other_mechanisms) others.insert(name.problem);
  if (!others.empty())
    comparison.notes.push_back(
        fmt::format("not compared: another mechanism has the name {} in the other run.",
                    fmt::join(others, ", ")));
  return comparison;
}

ComparedRuns CompareRuns(const ChosenRun& a, const ChosenRun& b) {
  std::vector<std::string> damaged;
  const Store store_a = Store::OpenToRead(a.store, &damaged),
              store_b = Store::OpenToRead(b.store, &damaged);
  ComparedRuns comparison =
      CompareContents(ReadContent(store_a, a.run), ReadContent(store_b, b.run));
  comparison.a = WithPlan(store_a, a.run);
  comparison.b = WithPlan(store_b, b.run);
  comparison.warnings = std::move(damaged);
  std::vector<std::string> notes;
  NoteRuns(comparison.a, comparison.b, notes);
  comparison.notes.insert(comparison.notes.begin(), notes.begin(), notes.end());
  for (const auto& [letter, run] : {std::pair{"A", &comparison.a}, {"B", &comparison.b}}) {
    for (const std::string& sentence : PluginWarnings(run->build))
      comparison.warnings.push_back(fmt::format("in {}, {}", letter, sentence));
  }
  return comparison;
}

}  // namespace mbsbench
