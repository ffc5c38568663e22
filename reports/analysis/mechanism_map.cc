#include "reports/analysis/mechanism_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

#include "harness/records/untried_limits.h"
#include "reports/analysis/engine_times.h"
#include "reports/analysis/outcomes.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

constexpr double kManyBodies = 50;

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

// Why a family does not hold a target. With an infinite one, why it has no error at all.
MapStanding WhyNot(const ProblemResults& problem, const std::string& family, double error) {
  using enum TimeAtError::Kind;
  bool is_tried = false, is_refused = false, has_error = false, is_skipped = false,
       is_asked = false;
  std::set<std::string> methods;
  for (const Cell& cell : problem.cells) {
    if (!IsOfFamily(cell, family)) continue;
    methods.insert(cell.method);
    is_refused |= cell.outcome == "unsupported";
    is_skipped |= cell.outcome == "skipped";
    is_tried |= IsTried(cell.outcome);
    has_error |= cell.finished() && cell.error;
  }
  for (const OpenItemRecord& open : problem.open) {
    if (MethodKey(open.method) == family) methods.insert(open.method);
  }
  TimeAtError::Kind best = kNotJudgeable;  // of those that do not hold it
  for (const std::string& method : methods) {
    is_asked |= AsksForTimes(problem, method);
    const TimeAtError::Kind kind = BestOfMethod(problem, method, error).time.kind;
    if (kind != kReached) best = std::min(best, kind);
  }
  if (best <= kNotRun) return MapStanding::kNotYet;
  if (best == kTooLong) return MapStanding::kTooLong;
  if (best == kNotFound) return MapStanding::kNotFound;
  if (has_error) return is_asked ? MapStanding::kInaccurate : MapStanding::kNotRun;
  if (is_tried) return MapStanding::kFailed;
  if (is_skipped) return MapStanding::kSkipped;
  return is_refused || RefusesEvaluations(problem, family) ? MapStanding::kRefused
                                                           : MapStanding::kNotRun;
}

// The families at a target, those of engines apart.
struct FamilyTimes {
  const Target* target;
  Ranking ours;
};

MapEntry EntryOfTime(const FamilyTimes& times, const std::string& family) {
  const Target& target = *times.target;
  MapEntry entry{target.problem, WhyNot(*target.problem, family, target.error)};
  entry.has_rivals = HasRivals(*target.problem, Rivals::kFamilies);
  const BestTime* best = BestOfFamily(target, family);
  // One judged cell of each method does not begin the comparison at a target.
  if (!best && entry.standing == MapStanding::kNotYet && !times.ours.Fastest())
    entry.standing = MapStanding::kNotBegun;
  if (!best) return entry;
  entry.method = best->method;
  entry.integrator = best->integrator;
  entry.setting = best->time.cell->Setting();
  entry.time = FormatTime(best->time);
  const BestTime* base = times.ours.Fastest();
  entry.standing = entry.has_rivals && base ? MapStanding::kReached : MapStanding::kAlone;
  if (entry.standing == MapStanding::kAlone) return entry;
  entry.is_base = base->method == best->method;
  entry.against = base->Curve();
  entry.ratio = RatioOf(best->time, base->time);
  entry.value = entry.ratio->value;
  const auto own = std::ranges::find(times.ours.times, best->method, &BestTime::method);
  if (own != times.ours.times.end()) {
    entry.verdict = times.ours.verdicts[static_cast<std::size_t>(own - times.ours.times.begin())];
  } else {
    const PairVerdict verdict = entry.ratio->Verdict();
    entry.verdict = {NameOf(verdict), entry.ratio->WhyOpen()};
  }
  return entry;
}

// One evaluation of all accelerations, by the cheapest variant of a family.
struct Evaluation {
  const Trial* trial = nullptr;
  double nanoseconds = INFINITY;  // per body
  bool has_digits = true;         // false: no digit of any variant is right
};
Evaluation EvaluationOf(const ProblemResults& problem, const std::string& family) {
  Evaluation best;
  for (const Trial* trial : problem.evaluations) {
    const MaybeNumber cost = trial->record.NanosecondsPerBody();
    if (MethodKey(trial->method) != family || trial->outcome != "ok" || cost.value_or(0) <= 0 ||
        trial->record.what != "accelerations")
      continue;
    if (!HasDigits(problem, trial->method))
      best.has_digits = false;
    else if (*cost < best.nanoseconds)
      best.trial = trial, best.nanoseconds = *cost;
  }
  return best;
}

struct Evaluations {
  const ProblemResults* problem;
  std::string fastest = {};  // family, of those that are no engines
  Evaluation base = {};
};

MapEntry EntryOfEvaluation(const Evaluations& all, const std::string& family) {
  const ProblemResults& problem = *all.problem;
  MapEntry entry{&problem};
  const Evaluation own = EvaluationOf(problem, family);
  if (!own.trial) {
    entry.standing = !own.has_digits                       ? MapStanding::kInaccurate
                     : RefusesEvaluations(problem, family) ? MapStanding::kRefused
                                                           : MapStanding::kNotRun;
    return entry;
  }
  entry.method = own.trial->method;
  entry.time = FormatDigits(own.nanoseconds, 3) + " ns per body";
  entry.standing = all.base.trial ? MapStanding::kReached : MapStanding::kAlone;
  if (!all.base.trial) return entry;
  entry.value = own.nanoseconds / all.base.nanoseconds;
  entry.is_base = family == all.fastest;
  entry.against = all.base.trial->method;
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

// The drift of the cell that the family's time at this target rests on: of the same variant and integrator.
MapEntry EntryOfDrift(const Target& target, const std::string& family) {
  const BestTime* best = BestOfFamily(target, family);
  const Cell* cell = best ? best->time.cell : nullptr;
  if (cell && !cell->position_drift && !cell->energy_drift) cell = nullptr;
  const double drift =
      cell ? std::max(cell->position_drift.value_or(0), cell->energy_drift.value_or(0)) : 0;
  return EntryOfCell(*target.problem, family, cell, drift, target.error);
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
  const auto lacks_cells = [&family](const OpenItemRecord& open) {
    return open.lacks_cells && MethodKey(open.method) == family;
  };
  // Any curve of tolerances may come to a smaller error; of fixed steps, which have no end, the one with the least.
  const auto may_fall = [&](const Curve& one) {
    return MethodKey(one.method) == family &&
           (one.cells.front()->tolerance || std::ranges::count(one.cells, best) > 0) &&
           MayFallFurther(problem, one);
  };
  entry.is_so_far = !entry.is_at_limit && (std::ranges::any_of(problem.open, lacks_cells) ||
                                           std::ranges::any_of(Ladders(problem), may_fall));
  return entry;
}

// Not counted: what was refused or not run, what a finer cell may still reach, and what is compared with no other family: a
// family that takes a problem which all others refuse could only lose there.
bool IsCounted(const MapEntry& entry) {
  using enum MapStanding;
  return entry.has_rivals &&
         (entry.standing == kReached || entry.standing == kInaccurate ||
          entry.standing == kNotFound || entry.standing == kTooLong || entry.standing == kFailed);
}

void Summarise(MapField& field) {
  std::vector<double> values;
  for (const MapEntry& entry : field.entries) {
    if (IsCounted(entry))
      values.push_back(entry.standing == MapStanding::kReached ? entry.value : INFINITY);
  }
  field.counted = static_cast<int>(values.size());
  if (values.empty()) return;
  field.median = Median(values);
  std::tie(field.low, field.high) = std::pair(std::ranges::min(values), std::ranges::max(values));
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

std::string FlagsInWords(bool has_equal_flags) {
  return std::string("Engines are built for any x86-64 processor (SSE2), ours for this machine") +
         (has_equal_flags ? "; the page Engines has the ratios at equal flags (preset debian)."
                          : ", which flatters ours; a build of ours with the preset debian "
                            "compares them at equal flags.");
}

// How many pairs of a problem and a family, engines left out, a measure judges, and how many of them have a value.
struct Judged {
  int taken = 0, known = 0;
};
Judged JudgedBy(const MechanismMap& map, const MapMeasure& measure) {
  Judged judged;
  for (const std::vector<MapField>& of_kind : measure.fields) {
    for (std::size_t f = 0; f < of_kind.size(); ++f) {
      if (map.IsEngine(f)) continue;
      judged.taken += of_kind[f].Taken();
      judged.known += of_kind[f].Taken() - of_kind[f].Count(MapStanding::kNotYet);
    }
  }
  return judged;
}

// The finest error at which more than half is known of what is judged at any error; else the first measure.
std::size_t FirstShown(const MechanismMap& map, std::size_t errors) {
  const std::size_t end = map.measures.size(), begin = end - errors;
  int most = 0;
  for (std::size_t m = begin; m < end; ++m)
    most = std::max(most, JudgedBy(map, map.measures[m]).taken);
  for (std::size_t m = end; m > begin; --m) {
    if (2 * JudgedBy(map, map.measures[m - 1]).known > most) return m - 1;
  }
  return 0;
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
    if (!comparison.Keeps(kTimes, method)) continue;
    const std::string family = MethodKey(method);
    const auto has_motion = [&](const ProblemResults& problem) {
      return std::ranges::any_of(problem.cells, [&](const Cell& cell) {
        return IsOfFamily(cell, family) && cell.outcome != "skipped";
      });
    };
    const auto has_evaluation = [&](const ProblemResults& problem) {
      return EvaluationOf(problem, family).trial != nullptr;
    };
    if (std::ranges::any_of(comparison.problems, has_motion) ||
        std::ranges::any_of(comparison.problems, has_evaluation))
      AddOnce(families, family);
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
    case MapStanding::kNotFound: return "not found";
    case MapStanding::kTooLong: return "too long";
    case MapStanding::kFailed: return "failed";
    case MapStanding::kRefused: return "refused";
    case MapStanding::kNotYet:
    case MapStanding::kNotBegun: return "not run or timed yet";
    case MapStanding::kSkipped: return "skipped";
    case MapStanding::kNotRun: return "not planned";
    case MapStanding::kAlone: return kOnlyMethodRun;
  }
  return "";
}

int MapField::Count(MapStanding standing) const {
  return static_cast<int>(std::ranges::count(entries, standing, &MapEntry::standing));
}

int MapField::Taken() const {
  return static_cast<int>(std::ranges::count_if(entries, &MapEntry::IsTaken));
}

std::string MapField::Marks() const {
  if (!median || !std::isfinite(*median)) return "";
  const auto ratios = std::ranges::count_if(
      entries, [](const MapEntry& entry) { return entry.ratio && !entry.is_base; });
  const auto holds = [&](bool (MapEntry::*is_it)() const) {
    return 2 * std::ranges::count_if(entries, is_it) > ratios && ratios > 0;
  };
  return std::string(holds(&MapEntry::IsOpen) ? kOpenMark : "") +
         (holds(&MapEntry::HasTwoIntegrators) ? kTwoIntegrators : "") +
         (std::ranges::any_of(entries, &MapEntry::is_so_far) ? kSoFar : "");
}

std::string MapMeasure::InWords(const MapField& field) const {
  if (!field.median || !std::isfinite(*field.median)) return NameOf(field.Reason());
  return (unit == "x" ? FormatRatio(*field.median) : FormatError(*field.median)) + field.Marks();
}

MapField MapMeasure::Overall(std::size_t family) const {
  MapField all;
  for (const std::vector<MapField>& of_kind : fields)
    all.entries.insert(all.entries.end(), of_kind[family].entries.begin(),
                       of_kind[family].entries.end());
  Summarise(all);
  return all;
}

std::string MapMeasure::MostOftenOf(std::size_t family) const {
  std::vector<std::string> variants;
  for (const auto& of_kind : fields) {
    for (const MapEntry& entry : of_kind[family].entries) {
      const std::size_t colon = entry.method.find(':');
      if (entry.standing == MapStanding::kReached)
        variants.push_back(colon == std::string::npos ? kDefaultVariant
                                                      : entry.method.substr(colon + 1));
    }
  }
  return Commonest(variants);
}

MapStanding MapField::Reason() const {
  using enum MapStanding;
  if (entries.empty()) return kNotRun;
  const std::vector<MapStanding> asked =
      counted > 0 ? std::vector{kInaccurate, kNotFound, kTooLong, kFailed}
                  : std::vector{kAlone,  kRefused, kInaccurate, kNotFound, kTooLong,
                                kFailed, kNotYet,  kNotBegun,   kSkipped,  kNotRun};
  return *std::ranges::max_element(asked, {}, [this](MapStanding one) { return Count(one); });
}

const MapMeasure* MechanismMap::Find(const std::string& name) const {
  const auto found = std::ranges::find(measures, name, &MapMeasure::name);
  return found == measures.end() ? nullptr : &*found;
}

const MapMeasure* MechanismMap::AtTarget(double error) const {
  return Find("time_at_" + FormatError(error));
}

const BestTime* BestOfFamily(const Target& target, const std::string& family) {
  auto times = TimesOfFamily(target, family);
  const auto best = std::ranges::min_element(
      times, {}, [](const BestTime& one) { return one.time.SecondsOrInfinity(); });
  return best == times.end() || !best->time.known() ? nullptr : &*best;
}

MechanismMap MakeMechanismMap(const Comparison& comparison, const std::vector<Target>& targets) {
  MechanismMap map{{}, MethodFamilies(comparison), 0, {}};
  const std::set<std::string> engines = EngineFamilies(comparison);
  map.engines = static_cast<std::size_t>(std::ranges::count_if(
      map.families, [&engines](const std::string& family) { return engines.contains(family); }));
  std::vector<const ProblemResults*> judged;
  std::vector<Evaluations> evaluated;
  std::set<Mechanism> kinds;
  for (const ProblemResults& problem : comparison.problems) {
    if (IsJudged(problem)) judged.push_back(&problem);
    Evaluations evaluations{&problem};
    for (const std::string& family : map.families) {
      if (engines.contains(family)) continue;
      if (const Evaluation one = EvaluationOf(problem, family);
          one.nanoseconds < evaluations.base.nanoseconds)
        evaluations.base = one, evaluations.fastest = family;
    }
    if (evaluations.base.trial) evaluated.push_back(evaluations);
    if (IsJudged(problem) || evaluations.base.trial) kinds.insert(MechanismOf(problem));
  }
  std::map<Mechanism, std::size_t> places;
  for (const Mechanism kind : kinds) {
    places.emplace(kind, places.size());
    map.kinds.push_back(NameOf(kind));
  }
  // `items` are what gives an entry for each family.
  const auto add = [&](MapMeasure measure, const auto& items, const auto& entry_of) {
    measure.fields.assign(map.kinds.size(), std::vector<MapField>(map.families.size()));
    for (const auto& item : items) {
      for (std::size_t f = 0; f < map.families.size(); ++f) {
        MapEntry entry = entry_of(item, map.families[f]);
        measure.fields[places.at(MechanismOf(*entry.problem))][f].entries.push_back(
            std::move(entry));
      }
    }
    std::ranges::for_each(measure.fields | std::views::join, Summarise);
    map.measures.push_back(std::move(measure));
  };
  const std::string flags =
      map.engines == 0
          ? ""
          : FlagsInWords(CompareEngines(*comparison.results).Has(EngineBuild::kDebian));
  if (!evaluated.empty())
    add({kOneEvaluation, "one evaluation", "x",
         "One evaluation of all accelerations over the cheapest", flags},
        evaluated, EntryOfEvaluation);
  for (const double error : comparison.targets) {
    std::vector<FamilyTimes> at;
    for (const Target& target : targets) {
      if (target.error != error) continue;
      std::vector<BestTime> ours;
      for (const BestTime& one : BestOfEachFamily(comparison, *target.problem, error)) {
        if (!engines.contains(MethodKey(one.method))) ours.push_back(one);
      }
      at.push_back({&target, Rank(std::move(ours))});
    }
    const std::string level = FormatError(error);
    add({"time_at_" + level, level, "x",
         "CPU time over that of the fastest at an error of " + level, flags},
        at, EntryOfTime);
  }
  if (!comparison.targets.empty()) map.first = FirstShown(map, comparison.targets.size());
  if (judged.empty()) return map;
  const double drift_at = comparison.MainTarget();
  std::vector<const Target*> drifting;
  for (const Target& target : targets) {
    if (target.error == drift_at) drifting.push_back(&target);
  }
  add({"drift", "drift", "",
       "Larger of position and energy drift of the cell timed at " + FormatError(drift_at)},
      drifting, [](const Target* target, const std::string& family) {
        return EntryOfDrift(*target, family);
      });
  add({"attainable_error", "attainable error", "", "Least error of any cell"}, judged,
      [](const ProblemResults* problem, const std::string& family) {
        return EntryOfLeastError(*problem, family);
      });
  return map;
}

}  // namespace mbsbench::reports
