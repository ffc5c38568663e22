#include "reports/analysis/mechanism_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <ranges>
#include <set>

#include "reports/analysis/engine_times.h"
#include "reports/analysis/equal_error.h"
#include "reports/analysis/outcomes.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

constexpr double kManyBodies = 50;
constexpr double kDriftAtError = 1e-6;
constexpr int kMapResamples = 400;
constexpr unsigned kMapSeed = 2;

bool HasEvents(const ProblemResults& problem) {
  return std::ranges::any_of(problem.cells,
                             [](const Cell& cell) { return cell.counters.events.value_or(0) > 0; });
}

bool IsOfFamily(const Cell& cell, const std::string& family) {
  return MethodKey(cell.method) == family && cell.integrator != kSteadySolver;
}

// Whether single evaluations were asked for, of no variant that supports the problem.
bool RefusesEvaluations(const ProblemResults& problem, const std::string& family) {
  if (!problem.agreement) return false;
  bool was_asked = false;
  for (const MethodAgreementRecord& one : OrNone(problem.agreement->record.agreement).methods) {
    if (MethodKey(one.method) != family) continue;
    if (RefusedEvaluation(problem, one.method).empty()) return false;
    was_asked = true;
  }
  return was_asked;
}

// Why a family has no time at an error. With an infinite one, why it has no error at all.
MapStanding WhyNot(const ProblemResults& problem, const std::string& family, double error) {
  bool is_tried = false, is_refused = false, has_error = false;
  std::set<std::string> methods;
  for (const Cell& cell : problem.cells) {
    if (!IsOfFamily(cell, family)) continue;
    methods.insert(cell.method);
    is_refused |= cell.outcome == "unsupported";
    is_tried |= IsTried(cell.outcome);
    has_error |= cell.finished() && cell.error;
  }
  for (const auto& [curve, lacks_cells] : problem.open_curves) {
    if (MethodKey(curve.first) == family) methods.insert(curve.first);
  }
  const bool is_open = std::ranges::any_of(methods, [&](const std::string& method) {
    return TimeAtError{problem.WhyNoTime(method, "", error)}.is_open();
  });
  if (is_open) return MapStanding::kNotYet;
  if (problem.LacksFinerCell(family, error)) return MapStanding::kNotRun;
  if (has_error) return MapStanding::kInaccurate;
  if (is_tried) return MapStanding::kFailed;
  return is_refused || RefusesEvaluations(problem, family) ? MapStanding::kRefused
                                                           : MapStanding::kNotRun;
}

MapEntry EntryOfTime(const Target& target, const std::string& family) {
  const Attempt* fastest = target.Fastest();
  MapEntry entry{target.problem, WhyNot(*target.problem, family, target.error)};
  entry.has_rivals = HasRivals(*target.problem, Rivals::kFamilies);
  const Attempt* best = BestOfFamily(target, family);
  if (!best || !fastest) return entry;
  entry.method = best->method;
  entry.integrator = best->integrator;
  entry.time = best->time;
  entry.standing = entry.has_rivals ? MapStanding::kReached : MapStanding::kAlone;
  if (!entry.has_rivals) return entry;
  entry.fastest = *fastest;
  entry.ratio = RatioOf(best->time, fastest->time);
  entry.value = entry.ratio->value;
  entry.by_round = PairedRatios(best->time.Rounds(), fastest->time.Rounds());
  return entry;
}

// The value is read from a cell; without one the entry has the standing of the family alone.
MapEntry EntryOfCell(const ProblemResults& problem, const std::string& family, const Cell* cell,
                     double value, double error) {
  MapEntry entry{&problem, WhyNot(problem, family, error)};
  if (!cell) return entry;
  entry.standing = MapStanding::kReached;
  entry.method = cell->method;
  entry.integrator = cell->integrator;
  entry.setting = cell->Setting();
  entry.value = value;
  return entry;
}

double DriftOf(const Cell& cell) {
  return std::max(cell.position_drift.value_or(0), cell.energy_drift.value_or(0));
}

// The drift of the cell that the family's time at this target rests on: of the same variant and integrator.
MapEntry EntryOfDrift(const Target& target, const std::string& family) {
  const Attempt* best = BestOfFamily(target, family);
  const Cell* cell = best ? best->time.fine.cell : nullptr;
  if (cell && !cell->position_drift && !cell->energy_drift) cell = nullptr;
  return EntryOfCell(*target.problem, family, cell, cell ? DriftOf(*cell) : 0, target.error);
}

MapEntry EntryOfLeastError(const ProblemResults& problem, const std::string& family) {
  const Cell* best = nullptr;
  for (const Cell& cell : problem.cells) {
    if (!IsOfFamily(cell, family) || !cell.finished() || !cell.error) continue;
    if (!best || *cell.error < *best->error) best = &cell;
  }
  MapEntry entry = EntryOfCell(problem, family, best, best ? *best->error : 0, INFINITY);
  if (!best) return entry;
  const ResolvedError resolved = *Resolved(problem, *best);
  entry.value = resolved.value;
  entry.is_at_limit = resolved.is_at_limit;
  return entry;
}

// Resamples the problems, and draws one round of each.
Interval Resampled(const std::vector<const MapEntry*>& counted) {
  std::mt19937 random(kMapSeed);
  const auto draw = [&random](std::size_t size) {
    return std::uniform_int_distribution<std::size_t>(0, size - 1)(random);
  };
  std::vector<double> medians(kMapResamples), sample(counted.size());
  for (double& median : medians) {
    for (double& value : sample) {
      const MapEntry& entry = *counted[draw(counted.size())];
      value = entry.standing != MapStanding::kReached ? INFINITY
              : entry.by_round.empty()                ? entry.value
                                                      : entry.by_round[draw(entry.by_round.size())];
    }
    median = Median(sample);
  }
  return Middle95(std::move(medians));
}

// Not counted: what was refused or not run, what a finer cell may still reach, and what is compared with no other family: a
// family that takes a problem which all others refuse could only lose there.
bool IsCounted(const MapEntry& entry) {
  return entry.has_rivals &&
         (entry.standing == MapStanding::kReached || entry.standing == MapStanding::kInaccurate ||
          entry.standing == MapStanding::kFailed);
}

void Summarise(MapField& field) {
  std::vector<const MapEntry*> counted;
  std::vector<double> values;
  for (const MapEntry& entry : field.entries) {
    if (!IsCounted(entry)) continue;
    counted.push_back(&entry);
    values.push_back(entry.standing == MapStanding::kReached ? entry.value : INFINITY);
  }
  field.counted = static_cast<int>(counted.size());
  if (counted.empty()) return;
  field.median = Median(values);
  const auto [least, most] = std::ranges::minmax(values);
  field.interval = field.IsRange() ? Interval{least, most} : Resampled(counted);
}

// "a (5 of 8)": the commonest name, the first of several.
std::string Commonest(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  const auto count = [&names](const std::string& name) { return std::ranges::count(names, name); };
  const std::string& most = *std::ranges::max_element(names, {}, count);
  return fmt::format("{} ({} of {})", most, count(most), names.size());
}

std::set<std::string> EngineFamilies(const Comparison& comparison) {
  std::set<std::string> families;
  for (const std::string& engine : Engines(*comparison.results)) families.insert(MethodKey(engine));
  return families;
}

}  // namespace

bool HasLoops(const ProblemResults& problem) { return problem.record.loops.value_or(0) > 0; }

std::string CountedFamilyOf(const ProblemResults& problem) {
  return FamilyOf(problem) + (HasLoops(problem) ? " with loops" : "");
}

Mechanism MechanismOf(const ProblemResults& problem) {
  const bool has_loops = HasLoops(problem);
  if (HasEvents(problem)) return Mechanism::kChanging;
  if (problem.record.conservative == false)
    return has_loops ? Mechanism::kDrivenLoop : Mechanism::kDrivenTree;
  if (problem.record.bodies.value_or(0) >= kManyBodies)
    return has_loops ? Mechanism::kLargeLoop : Mechanism::kLargeTree;
  return has_loops ? Mechanism::kSmallLoop : Mechanism::kSmallTree;
}

std::string NameOf(Mechanism kind) {
  switch (kind) {
    case Mechanism::kSmallTree: return fmt::format("trees below {:.0f} bodies", kManyBodies);
    case Mechanism::kLargeTree: return fmt::format("trees from {:.0f} bodies", kManyBodies);
    case Mechanism::kSmallLoop: return fmt::format("loops below {:.0f} bodies", kManyBodies);
    case Mechanism::kLargeLoop: return fmt::format("loops from {:.0f} bodies", kManyBodies);
    case Mechanism::kDrivenTree: return "driven or damped trees";
    case Mechanism::kDrivenLoop: return "driven or damped loops";
    case Mechanism::kChanging: return "changing during the motion";
  }
  return "";
}

std::string KindOf(const ProblemResults& problem) { return NameOf(MechanismOf(problem)); }

std::vector<std::string> MethodFamilies(const Comparison& comparison) {
  std::vector<std::string> families;
  for (const std::string& method : comparison.methods) {
    const std::string family = MethodKey(method);
    const auto has_motion = [&](const ProblemResults& problem) {
      return std::ranges::any_of(problem.cells, [&](const Cell& cell) {
        return IsOfFamily(cell, family) && cell.outcome != "skipped";
      });
    };
    if (std::ranges::any_of(comparison.problems, has_motion)) AddOnce(families, family);
  }
  const std::set<std::string> engines = EngineFamilies(comparison);
  std::stable_partition(families.begin(), families.end(), [&engines](const std::string& family) {
    return !engines.contains(family);
  });
  return families;
}

const char* NameOf(MapStanding standing) {
  switch (standing) {
    case MapStanding::kReached: return "reached";
    case MapStanding::kInaccurate: return "not reached";
    case MapStanding::kFailed: return "failed";
    case MapStanding::kRefused: return "refused";
    case MapStanding::kNotYet: return "not run or timed yet";
    case MapStanding::kNotRun: return "not run";
    case MapStanding::kAlone: return kOnlyMethodRun;
  }
  return "";
}

int MapField::Count(MapStanding standing) const {
  return static_cast<int>(std::ranges::count(entries, standing, &MapEntry::standing));
}

int MapField::Count(bool (MapEntry::*is_it)() const) const {
  return static_cast<int>(std::ranges::count_if(entries, is_it));
}

bool MapField::IsMostlyOpen() const {
  const auto open = std::ranges::count_if(entries, [](const MapEntry& entry) {
    return entry.standing == MapStanding::kReached && entry.IsOpen();
  });
  return 2 * open > Count(MapStanding::kReached);
}

bool MapField::IsNoisy() const {
  const int noisy = Count(&MapEntry::IsNoisy);
  return noisy > 0 && 2 * noisy >= Count(&MapEntry::HasRounds);
}

bool MapField::IsThin() const {
  const auto has_rounds = [](const MapEntry& entry) { return entry.by_round.size() > 1; };
  return IsRange() || (std::ranges::any_of(entries, &MapEntry::IsRatio) &&
                       std::ranges::none_of(entries, has_rounds));
}

std::string MapField::MostOften() const {
  std::vector<std::string> curves;
  for (const MapEntry& entry : entries) {
    if (entry.standing == MapStanding::kReached)
      curves.push_back(entry.method + " with " + entry.integrator);
  }
  return Commonest(curves);
}

std::string MapMeasure::MostOftenOf(std::size_t family) const {
  std::vector<std::string> variants;
  for (const auto& of_kind : fields) {
    for (const MapEntry& entry : of_kind[family].entries) {
      const std::size_t colon = entry.method.find(':');
      if (entry.standing == MapStanding::kReached)
        variants.push_back(colon == std::string::npos ? "default" : entry.method.substr(colon + 1));
    }
  }
  return Commonest(variants);
}

MapStanding MapField::Reason() const {
  using enum MapStanding;
  if (entries.empty()) return kNotRun;
  const std::vector<MapStanding> asked =
      counted > 0 ? std::vector{kInaccurate, kFailed}
                  : std::vector{kAlone, kRefused, kInaccurate, kFailed, kNotYet, kNotRun};
  return *std::ranges::max_element(asked, {}, [this](MapStanding one) { return Count(one); });
}

const Attempt* BestOfFamily(const Target& target, const std::string& family) {
  return LeastTime(AttemptsOf(target, family));
}

MechanismMap MakeMechanismMap(const Comparison& comparison, const std::vector<Target>& targets) {
  MechanismMap map{{}, MethodFamilies(comparison), 0, {}};
  const std::set<std::string> engines = EngineFamilies(comparison);
  map.engines = static_cast<std::size_t>(std::ranges::count_if(
      map.families, [&engines](const std::string& family) { return engines.contains(family); }));
  std::vector<const ProblemResults*> judged;
  std::set<Mechanism> kinds;
  for (const ProblemResults& problem : comparison.problems) {
    if (!IsJudged(problem)) continue;
    judged.push_back(&problem);
    kinds.insert(MechanismOf(problem));
  }
  // An unfinished run may still measure large mechanisms.
  const bool is_unfinished = std::any_of(comparison.runs.begin(), comparison.runs.end(),
                                         [](const Run* run) { return run->finished.empty(); });
  if (is_unfinished && !kinds.empty()) kinds.insert({Mechanism::kLargeTree, Mechanism::kLargeLoop});
  std::map<Mechanism, std::size_t> places;
  for (const Mechanism kind : kinds) {
    places.emplace(kind, places.size());
    map.kinds.push_back(NameOf(kind));
  }
  // `items` are problems or targets; each gives an entry for each family.
  const auto add = [&](MapMeasure measure, const auto& items, const auto& entry_of) {
    measure.fields.assign(map.kinds.size(), std::vector<MapField>(map.families.size()));
    for (const auto* item : items) {
      for (std::size_t f = 0; f < map.families.size(); ++f) {
        MapEntry entry = entry_of(*item, map.families[f]);
        measure.fields[places.at(MechanismOf(*entry.problem))][f].entries.push_back(
            std::move(entry));
      }
    }
    std::ranges::for_each(measure.fields | std::views::join, Summarise);
    map.measures.push_back(std::move(measure));
  };
  const auto targets_at = [&targets](double error) {
    std::vector<const Target*> at;
    for (const Target& target : targets) {
      if (target.error == error) at.push_back(&target);
    }
    return at;
  };
  for (const double error : kErrorLevels) {
    const std::string level = FormatError(error);
    add({"time_at_" + level, "time at " + level, "x",
         "Time over that of the fastest at an error of " + level},
        targets_at(error), EntryOfTime);
  }
  const std::string level = FormatError(kDriftAtError);
  add({"drift_at_" + level, "drift at " + level, "",
       "Drift of the cell that the time at " + level + " rests on"},
      targets_at(kDriftAtError), EntryOfDrift);
  add({"attainable_error", "attainable error", "", "Least error of any cell"}, judged,
      EntryOfLeastError);
  return map;
}

}  // namespace mbsbench::reports
