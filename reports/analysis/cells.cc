#include "reports/analysis/cells.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <tuple>

#include "harness/comparison/merged_agreement.h"
#include "harness/comparison/stalled_curves.h"
#include "harness/records/untried_limits.h"
#include "reports/analysis/benches.h"
#include "reports/analysis/statistics.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

std::string BenchName(const Run& run) {
  const std::string cpu = run.machine.cpu, commit = run.build.commit;
  return (cpu.empty() ? "unnamed machine" : cpu) + ", build " +
         (commit.empty() ? "unknown" : commit.substr(0, 10));
}

// By the key of a bench. Benches of the same name get their hosts added.
std::map<std::string, std::string> BenchNames(const std::map<std::string, const Run*>& benches) {
  std::map<std::string, int> sharing;
  for (const auto& [key, run] : benches) ++sharing[BenchName(*run)];
  std::map<std::string, std::string> names;
  for (const auto& [key, run] : benches) {
    const std::string name = BenchName(*run), hosts = HostsOf(*run);
    names[key] =
        sharing[name] == 1
            ? name
            : name + ", " + (hosts.empty() ? "run " + run->id.substr(0, 8) : "on " + hosts);
  }
  return names;
}

// Whether a problem that is shown from one bench shows a trial of another: only times differ between hosts of the same kind.
bool IsOf(const std::string& shown, const RunBench& bench, const std::string& kind) {
  const bool is_timed = kind == "time" || kind == "evaluation";
  return is_timed ? bench.times == shown : shown.rfind(bench.kind, 0) == 0;
}

// Variants of one method side by side, where its first one stands, those with fewer options first.
std::vector<std::string> VariantsTogether(std::vector<std::string> methods) {
  std::map<std::string, std::size_t> first;  // by key
  for (std::size_t i = 0; i < methods.size(); ++i) first.try_emplace(MethodKey(methods[i]), i);
  std::ranges::stable_sort(methods, {}, [&](const std::string& spec) {
    const auto options = std::ranges::count_if(spec, [](char c) { return c == ':' || c == ','; });
    return std::pair(first[MethodKey(spec)], options);
  });
  return methods;
}

struct CellTrials {
  const Trial* accuracy = nullptr;  // the newest
  std::vector<const Trial*> times;
  const Trial* budget = nullptr;
};

// The accuracy trial judges the cell. A timed round that failed makes the cell fail too.
void SetOutcome(const CellTrials& trials, Cell& cell) {
  const Trial& judge = trials.accuracy ? *trials.accuracy : *trials.times.front();
  cell.outcome = judge.outcome;
  cell.reason = judge.reason;
  if (!cell.finished()) return;
  for (const Trial* time : trials.times) {
    if (time->outcome == "ok" || time->outcome == cell.outcome) {
      if (time->outcome == "ok" && !time->reason.empty()) cell.caution = time->reason;
      continue;
    }
    cell.outcome = time->outcome;
    cell.reason = "in timing round " + std::to_string(time->round) + ": " + time->reason;
    return;
  }
}

void SetCost(const CellTrials& trials, Cell& cell) {
  std::vector<double> cpu;
  for (const Trial* time : trials.times) {
    if (!IsFinished(time->outcome)) continue;
    if (time->cpu_seconds) {
      cpu.push_back(*time->cpu_seconds);
      const TimeRecord& record = OrNone(time->record.time);
      const RoundKey key{record.target.value_or(0), time->round};
      cell.rounds[key] = *time->cpu_seconds;
      if (record.repetitions) cell.repetitions[key] = *record.repetitions;
      if (record.threads) {
        cell.threads = *record.threads;
        cell.wall[key] = record.wall_seconds;
      }
    }
    Lower(cell.wall_minimum, time->wall_seconds);
    if (!time->record.time) continue;
    Lower(cell.prepare_minimum, IfFinite(time->record.time->prepare_seconds));
    Lower(cell.memory_bytes, time->record.time->memory_bytes);
  }
  if (cpu.empty()) return;
  std::sort(cpu.begin(), cpu.end());
  cell.cpu = Spread{cpu.front(), Quantile(cpu, 0.75), static_cast<int>(cpu.size())};
}

// A motion that was found ill-conditioned or on another branch at its end did reach it.
bool StoppedEarly(const Trial& accuracy) {
  return !IsFinished(accuracy.outcome) &&
         accuracy.record.TimeReached().value_or(0) < accuracy.end_time.value_or(INFINITY);
}

Cell MakeCell(const CellTrials& trials) {
  const Trial& any = trials.accuracy ? *trials.accuracy : *trials.times.front();
  Cell cell;
  cell.problem = any.problem;
  cell.method = any.method;
  cell.integrator = any.integrator;
  cell.tolerance = any.tolerance;
  cell.step = any.step;
  cell.end_time = any.end_time;
  SetOutcome(trials, cell);
  SetCost(trials, cell);
  cell.counters = OrNone(any.record.integration).counters;
  cell.command = any.record.command;
  if (!trials.accuracy) return cell;
  if (trials.budget) cell.budget = trials.budget->record.budget;
  cell.key = trials.accuracy->key;
  cell.accuracy = trials.accuracy;
  if (!any.record.accuracy) return cell;
  const AccuracyRecord& record = *any.record.accuracy;
  const bool stopped_early = StoppedEarly(any);
  const auto set = [&](MaybeNumber Cell::*whole, MaybeNumber Cell::*until_failure,
                       MaybeNumber value) {
    cell.*(stopped_early ? until_failure : whole) = value;
  };
  set(&Cell::position_drift, &Cell::position_drift_until_failure,
      IfFinite(record.position_drift_max));
  set(&Cell::velocity_drift, &Cell::velocity_drift_until_failure,
      IfFinite(record.velocity_drift_max));
  set(&Cell::energy_drift, &Cell::energy_drift_until_failure, IfFinite(record.energy_drift_max));
  if (!stopped_early) {
    cell.acceleration_drift = record.acceleration_drift_max;
    cell.energy_gained = record.energy_gained;
    cell.linear_momentum_drift = record.linear_momentum_drift_max;
    cell.angular_momentum_drift = record.angular_momentum_drift_max;
  }
  if (const std::optional<ErrorMeasure>& error = record.error) {
    set(&Cell::error, &Cell::error_until_failure, IfFinite(error->max));
    if (!stopped_early) {
      cell.error_end = error->end;
      cell.error_velocity = IfFinite(error->velocity_max);
      cell.error_reactions = error->reactions_max;
      cell.error_algorithmic_reactions = error->algorithmic_reactions_max;
    }
  }
  return cell;
}

// The targets of the plans of these runs, coarse to fine; the usual ones where they have none.
std::vector<double> TargetsOf(const std::vector<const Run*>& runs) {
  std::set<double, std::greater<>> targets;
  for (const Run* run : runs) {
    const std::vector<double>& own = OrNone(run->coverage).targets;
    targets.insert(own.begin(), own.end());
  }
  if (targets.empty()) targets = {1e-3, 1e-6, 1e-9};
  return {targets.begin(), targets.end()};
}

// All that is known of a motion that failed before its second sample is its start, which has no error.
void ForgetStarts(Comparison& comparison) {
  std::map<std::int64_t, Cell*> failed;  // by row
  for (ProblemResults& problem : comparison.problems) {
    for (Cell& cell : problem.cells) {
      if (cell.accuracy && IsTried(cell.outcome) && !cell.finished())
        failed[cell.accuracy->number] = &cell;
    }
  }
  std::vector<std::int64_t> rows;
  for (const auto& [row, cell] : failed) rows.push_back(row);
  for (const auto& [row, record] : ReadFullRecords(comparison.results->path, rows)) {
    if (OrNone(record.accuracy).times.size() != 1) continue;
    for (const auto until_failure :
         {&Cell::error_until_failure, &Cell::position_drift_until_failure,
          &Cell::velocity_drift_until_failure, &Cell::energy_drift_until_failure})
      (failed.at(row)->*until_failure).reset();
  }
}

void SortCells(const Comparison& comparison, std::vector<Cell>& cells) {
  const auto place = [](const std::vector<std::string>& list, const std::string& value) {
    return std::find(list.begin(), list.end(), value) - list.begin();
  };
  const auto key = [&](const Cell& cell) {  // coarse to fine: larger tolerances and steps first
    return std::tuple(place(comparison.methods, cell.method),
                      place(comparison.integrators, cell.integrator), cell.step.has_value(),
                      -cell.tolerance.value_or(INFINITY), -cell.step.value_or(INFINITY));
  };
  std::stable_sort(cells.begin(), cells.end(),
                   [&](const Cell& a, const Cell& b) { return key(a) < key(b); });
}

// The checks of one problem, oldest first, as one trial.
Trial Merged(const std::vector<const Trial*>& trials) {
  std::vector<AgreementCheck> checks;
  for (const Trial* trial : trials)
    checks.push_back({"", trial->outcome, trial->reason, OrNone(trial->record.agreement)});
  AgreementCheck all = MergedAgreement(std::move(checks));
  Trial merged = *trials.back();
  merged.outcome = all.outcome;
  merged.reason = all.reason;
  merged.record.agreement = std::move(all.record);
  return merged;
}

// Families in the order of the run, which begins with one instance of each; instances from small to large.
std::vector<std::string> InstancesTogether(std::vector<std::string> names, const Results& results) {
  std::map<std::string, double> bodies;
  for (const ProblemRow& problem : results.problems)
    bodies[problem.name] = problem.record.bodies.value_or(0);
  std::map<std::string, std::size_t> families;
  const auto place = [&](const std::string& name) {
    return std::pair{
        families.try_emplace(name.substr(0, name.find(':')), families.size()).first->second,
        bodies[name]};
  };
  for (const std::string& name : names) place(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  return names;
}

}  // namespace

std::string MethodKey(const std::string& spec) { return spec.substr(0, spec.find(':')); }

std::string Cell::Curve() const { return integrator.empty() ? method : method + ", " + integrator; }

std::string Cell::Setting() const { return SettingOf(tolerance, step); }

std::size_t Comparison::CellCount() const {
  std::size_t count = 0;
  for (const ProblemResults& problem : problems) count += problem.cells.size();
  return count;
}

const ProblemResults* Comparison::Find(const std::string& problem) const {
  const auto found = std::ranges::find(problems, problem, &ProblemResults::name);
  return found == problems.end() ? nullptr : &*found;
}

const MethodRecord& Comparison::MethodRecordOf(const std::string& spec) const {
  static const MethodRecord none;
  const MethodRecord* found = &none;
  for (const MethodRow& method : results->methods) {
    if (method.spec == spec) found = &method.record;
  }
  return *found;
}

bool Comparison::Keeps(const char* what, const std::string& method) const {
  return mbsbench::Keeps(what, MethodRecordOf(method).limits);
}

bool WasRun(const ProblemResults& problem) {
  return !problem.cells.empty() || !problem.evaluations.empty();
}

std::string ProblemRoute(const ProblemResults& problem) {
  return WasRun(problem) ? "problem/" + problem.stem : "";
}

std::string MethodRoute(const Comparison& comparison, const std::string& spec) {
  return "method/" + comparison.MethodStem(spec);
}

std::string FamilyOf(const ProblemResults& problem) {
  const std::string family = problem.record.family;
  return family.empty() ? problem.name.substr(0, problem.name.find(':')) : family;
}

double LoopWidthOf(const ProblemResults& problem) {
  static const std::regex kWidth("[:,]width=([0-9]{1,9})");
  std::smatch width;
  return std::regex_search(problem.name, width, kWidth) ? std::stoi(width[1]) : 1;
}

bool HasRivals(const ProblemResults& problem, Rivals rivals) {
  std::string first;
  for (const Cell& cell : problem.cells) {
    if (cell.integrator == kSteadySolver || !IsTried(cell.outcome)) continue;
    const std::string one = rivals == Rivals::kFamilies ? MethodKey(cell.method) : cell.method;
    if (!first.empty() && one != first) return true;
    first = one;
  }
  // A curve that is still to be run may become a rival.
  return std::ranges::any_of(problem.open, [&](const OpenItemRecord& one) {
    return !first.empty() && one.is_timed && one.integrator != kSteadySolver &&
           (rivals == Rivals::kFamilies ? MethodKey(one.method) : one.method) != first;
  });
}

const MethodAgreementRecord& AgreementOf(const ProblemResults& problem, const std::string& method) {
  static const MethodAgreementRecord none;
  if (!problem.agreement) return none;
  const auto& methods = OrNone(problem.agreement->record.agreement).methods;
  const auto own = std::ranges::find(methods, method, &MethodAgreementRecord::method);
  return own == methods.end() ? none : *own;
}

bool HasDigits(const ProblemResults& problem, const std::string& method) {
  return AgreementOf(problem, method).error.value_or(0) < kAllLost;
}

std::string RefusedEvaluation(const ProblemResults& problem, const std::string& method) {
  constexpr const char* kRefused = "unsupported";
  for (const Trial* trial : problem.evaluations) {
    if (trial->method == method && trial->outcome == kRefused)
      return trial->outcome + ": " + trial->reason;
  }
  const std::string& reason = AgreementOf(problem, method).reason;
  return reason.starts_with(kRefused) ? reason : "";
}

std::optional<ResolvedError> Resolved(const ProblemResults& problem, const Cell& cell,
                                      std::optional<double> Cell::*error) {
  if (!(cell.*error)) return std::nullopt;
  const CertificateRecord& reference = OrNone(problem.record.reference);
  const MaybeNumber& stated =
      error == &Cell::error_velocity ? reference.velocity_error_estimate : reference.error_estimate;
  const double own = *(cell.*error), limit = stated.value_or(0);
  const bool is_at_limit = cell.integrator != kSteadySolver && own < limit;
  return ResolvedError{is_at_limit ? limit : own, is_at_limit};
}

std::string ResolvedError::Text() const { return (is_at_limit ? "≤ " : "") + FormatError(value); }

std::string ResolvedError::Words() const {
  return Text() + (is_at_limit ? ", at the reference's limit" : "");
}

std::string ErrorInWords(const ProblemResults& problem, const Cell& cell) {
  if (const auto until = Resolved(problem, cell, &Cell::error_until_failure))
    return until->Text() + " until the failure";
  const auto error = Resolved(problem, cell);
  return error ? error->Words() : "-";
}

std::string LatestCommand(const Comparison& comparison) {
  return comparison.runs.empty() ? "" : CommandOf(*comparison.runs.back());
}

bool ProblemResults::IsOpen(const std::string& method, const std::string& integrator,
                            double target) const {
  return std::ranges::any_of(open, [&](const OpenItemRecord& one) {
    return one.lacks_cells && one.is_timed && one.method == method &&
           (integrator.empty() || one.integrator == integrator) &&
           one.target.value_or(target) == target;
  });
}

double Comparison::MainTarget() const {
  return *std::ranges::min_element(
      targets, {}, [](double target) { return std::abs(std::log10(target / 1e-6)); });
}

std::string Comparison::EvaluationsInWords() const {
  std::set<std::string> evaluated;
  std::size_t on = 0;
  for (const ProblemResults& problem : problems) {
    on += !problem.evaluations.empty();
    for (const Trial* trial : problem.evaluations) evaluated.insert(trial->method);
  }
  return on == 0
             ? ""
             : fmt::format("No motion was run: this store holds single evaluations of {} on {}.",
                           Plural(evaluated.size(), "method"), Plural(on, "problem"));
}

ArchivedRun WithoutTimes(const std::string& name, const Comparison& comparison) {
  ArchivedRun run{name, comparison.results, comparison.problems};
  for (ProblemResults& problem : run.problems) {
    for (Cell& cell : problem.cells) {
      cell.archive = name;
      cell.cpu.reset();
    }
  }
  return run;
}

Comparison Compare(const Results& results) {
  Comparison comparison;
  comparison.results = &results;
  std::map<std::string, const Run*> run_by_id;
  std::map<std::string, RunBench> bench_of_run = BenchesOf(results);
  std::map<std::string, std::size_t> age;  // of a bench: position of its newest run
  std::map<std::string, const Run*> newest;
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    const Run& run = results.runs[i];
    run_by_id[run.id] = &run;
    age[bench_of_run[run.id].times] = i;
    newest[bench_of_run[run.id].times] = &run;
  }
  const std::map<std::string, std::string> bench_names = BenchNames(newest);

  // each problem is shown from the newest bench with trials of it
  std::vector<std::string> names;
  for (const ProblemRow& problem : results.problems) AddOnce(names, problem.name);
  for (const MethodRow& method : results.methods) AddOnce(comparison.methods, method.spec);
  std::map<std::string, std::string> bench_of_problem;
  for (const Trial& trial : results.trials) {
    AddOnce(names, trial.problem);
    const std::string& bench = bench_of_run[trial.run_id].times;
    auto [it, inserted] = bench_of_problem.try_emplace(trial.problem, bench);
    if (!inserted && age[bench] > age[it->second]) it->second = bench;
  }
  names = InstancesTogether(names, results);
  comparison.problems.resize(names.size());
  std::map<std::string, ProblemResults*> problems;
  for (std::size_t i = 0; i < names.size(); ++i) {
    ProblemResults& problem = *(problems[names[i]] = &comparison.problems[i]);
    problem.name = names[i];
    const auto bench = bench_of_problem.find(names[i]);
    if (bench != bench_of_problem.end() && newest.contains(bench->second))
      problem.bench = {newest[bench->second], bench_names.at(bench->second)};
  }
  for (const ProblemRow& row : results.problems) problems.at(row.name)->record = row.record;

  for (const Run& run : results.runs) {
    if (!run.finished.empty()) continue;
    for (const OpenItemRecord& item : OrNone(run.coverage).open) {
      if (!problems.contains(item.problem)) continue;
      ProblemResults& problem = *problems[item.problem];
      if (problem.bench.run &&
          bench_of_run[problem.bench.run->id].times == bench_of_run[run.id].times)
        problem.open.push_back(item);
    }
  }

  using CellKey = std::tuple<ProblemResults*, std::string, std::string, std::optional<double>,
                             std::optional<double>>;
  std::map<CellKey, CellTrials> cells;
  std::map<ProblemResults*, std::vector<const Trial*>> agreements;
  for (const Trial& trial : results.trials) {
    ProblemResults& problem = *problems[trial.problem];
    if (!IsOf(bench_of_problem[trial.problem], bench_of_run[trial.run_id], trial.kind) ||
        IsOfAnotherProblem(trial.record.problem_hash, problem.record)) {
      ++comparison.superseded;
      continue;
    }
    if (run_by_id.contains(trial.run_id)) AddOnce(comparison.runs, run_by_id[trial.run_id]);
    if (trial.kind == "agreement") {
      agreements[&problem].push_back(&trial);
      continue;
    }
    AddOnce(comparison.methods, trial.method);
    if (trial.kind == "evaluation") {
      problem.evaluations.push_back(&trial);
      continue;
    }
    AddOnce(comparison.integrators, trial.integrator);
    CellTrials& cell =
        cells[{&problem, trial.method, trial.integrator, trial.tolerance, trial.step}];
    if (trial.kind == "accuracy") {
      cell.accuracy = &trial;
    } else if (trial.kind == "budget") {
      cell.budget = &trial;
    } else if (trial.kind == "time") {
      cell.times.push_back(&trial);
    }
  }
  for (const auto& [key, trials] : cells) {
    if (trials.accuracy || !trials.times.empty())
      std::get<0>(key)->cells.push_back(MakeCell(trials));
  }
  for (const auto& [problem, trials] : agreements) problem->agreement = Merged(trials);
  comparison.methods = VariantsTogether(comparison.methods);
  comparison.targets = TargetsOf(comparison.runs);
  std::set<std::string> problem_stems, method_stems;
  for (ProblemResults& problem : comparison.problems)
    problem.stem = TakeStem(problem.name, problem_stems);
  for (const std::string& method : comparison.methods)
    comparison.method_stems[method] = TakeStem(method, method_stems);
  ForgetStarts(comparison);
  for (ProblemResults& problem : comparison.problems) SortCells(comparison, problem.cells);
  return comparison;
}

const Cell* MostAccurate(const ProblemResults& problem,
                         const std::function<bool(const Cell&)>& is_asked) {
  constexpr double kSameError = 1.1;
  std::optional<double> least;
  for (const Cell& cell : problem.cells) {
    if (cell.finished() && is_asked(cell)) Lower(least, cell.error);
  }
  const Cell* best = nullptr;
  const auto cost = [](const Cell& cell) { return cell.cpu ? cell.cpu->minimum : INFINITY; };
  for (const Cell& cell : problem.cells) {
    if (!cell.finished() || !is_asked(cell) || !cell.error || *cell.error > kSameError * *least)
      continue;
    if (!best || cost(cell) < cost(*best)) best = &cell;
  }
  return best;
}

const Cell* CellThatHolds(const ProblemResults& problem, const std::string& method, double error) {
  const auto is_own = [&method](const Cell& cell) {
    return cell.method == method && cell.integrator != kSteadySolver && cell.outcome == "ok";
  };
  for (const Cell& cell : problem.cells)
    if (is_own(cell) && cell.error && *cell.error <= error) return &cell;
  return MostAccurate(problem, is_own);
}

std::vector<Curve> Curves(const ProblemResults& problem) {
  std::vector<Curve> curves;
  for (const Cell& cell : problem.cells) {
    if (cell.integrator == kSteadySolver) continue;
    if (curves.empty() || curves.back().method != cell.method ||
        curves.back().integrator != cell.integrator) {
      curves.push_back({cell.method, cell.integrator, cell.Curve(), {}});
    }
    curves.back().cells.push_back(&cell);
  }
  return curves;
}

std::vector<Curve> Ladders(const Curve& curve) {
  // tolerances sort before steps
  const auto fixed = std::find_if(curve.cells.begin(), curve.cells.end(),
                                  [](const Cell* cell) { return cell->step.has_value(); });
  if (fixed == curve.cells.begin() || fixed == curve.cells.end()) return {curve};
  Curve tolerances = curve, steps = curve;
  tolerances.cells.assign(curve.cells.begin(), fixed);
  steps.cells.assign(fixed, curve.cells.end());
  steps.name += ", fixed steps";
  steps.second_ladder = true;
  return {tolerances, steps};
}

std::vector<Curve> Ladders(const ProblemResults& problem) {
  std::vector<Curve> ladders;
  for (const Curve& curve : Curves(problem)) {
    for (Curve& one : Ladders(curve)) ladders.push_back(std::move(one));
  }
  return ladders;
}

const PublishedComparison* FindOwnValue(const Cell& cell, const PrintedValueRecord& printed) {
  for (const PublishedComparison& own : OrNone(RecordOf(cell).accuracy).published) {
    if (own.quantity != printed.quantity || own.event != printed.event) continue;
    if (printed.event.empty() && IfFinite(own.time) != printed.time) continue;
    if (own.source == printed.source) return &own;
  }
  return nullptr;
}

const TrialRecord& RecordOf(const Cell& cell) {
  static const TrialRecord none;
  return cell.accuracy ? cell.accuracy->record : none;
}

}  // namespace mbsbench::reports
