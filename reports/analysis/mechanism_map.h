// The time of each family of methods on each kind of mechanism: the map at the top of the report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/equal_error.h"
#include "reports/analysis/statistics.h"
#include "reports/analysis/targets.h"

namespace mbsbench::reports {

bool HasLoops(const ProblemResults& problem);

// All sizes and variants of a problem, which count as one problem: where a problem counts as such, each has a share of it. A tree
// and its closed loop are not two sizes of one problem.
std::string CountedFamilyOf(const ProblemResults& problem);

// Kinds of mechanisms, in the order of the map. Only those that are neither driven nor damped are distinguished by size.
enum class Mechanism {
  kSmallTree,
  kLargeTree,
  kSmallLoop,
  kLargeLoop,
  kDrivenTree,
  kDrivenLoop,
  kChanging
};
Mechanism MechanismOf(const ProblemResults& problem);
std::string NameOf(Mechanism kind);                 // "trees below 50 bodies"
std::string KindOf(const ProblemResults& problem);  // its name

// The families of methods of which a motion was planned, in the order of the comparison, engines last.
std::vector<std::string> MethodFamilies(const Comparison& comparison);

// How a family stands on one problem.
enum class MapStanding {
  kReached,
  kInaccurate,
  kFailed,
  kRefused,
  kNotYet,  // not reached by the cells run and timed so far; others are still to come
  kNotRun,  // no cell, or a single one per curve: no finer one was planned
  kAlone    // no motion of another family was run there, so its time is compared with none
};
const char* NameOf(MapStanding standing);

struct MapEntry {
  const ProblemResults* problem = nullptr;
  MapStanding standing = MapStanding::kNotRun;
  std::string method = "", integrator = "";  // the best of the family, where it reached something
  std::string setting = "";  // of the cell that the value is read from, if it is one
  double value = 0;          // of the measure, where the standing is kReached
  bool is_at_limit = false;  // its error is below that of the reference, which is shown instead
  // Of measures of time.
  bool has_rivals = true;               // whether other families were run there
  TimeAtError time = {};                // also where the standing is kAlone
  BestTime fastest = {};                // the base of the ratio
  std::optional<TimeRatio> ratio = {};  // of the two
  std::vector<double> by_round = {};    // the ratio of each paired round
  // Whether the value is not exact: one of the two times is an upper bound, or the reference resolves no smaller error.
  bool IsOpen() const { return (ratio && ratio->IsBound()) || is_at_limit; }
  bool IsRatio() const { return ratio.has_value(); }
  bool HasTwoIntegrators() const { return ratio && ratio->has_two_integrators; }
  bool IsNoisy() const { return HasRounds() && ratio->spread->IsNoisy(); }
  bool HasRounds() const { return ratio && ratio->spread && ratio->spread->rounds > 1; }
};

// One family on one kind. A problem that was run and not reached counts as infinite. One that was refused, not run or not
// run to the end is left out. So is, of measures of time, one on which no other family was run, reached or not.
struct MapField {
  std::vector<MapEntry> entries;  // all problems of the kind that the measure can judge
  int counted = 0;                // problems that the median is over, n of the N entries
  std::optional<double> median;   // infinite where most were not reached; empty where none counts
  // The 95 % interval of the median, by resampling problems, then rounds. With fewer than RatioSpread::kFewestForInterval
  // problems it would be hardly more than the range of their values; then it is this range.
  Interval interval;
  bool IsRange() const { return counted < RatioSpread::kFewestForInterval; }
  int Count(MapStanding standing) const;
  int Count(bool (MapEntry::*is_it)() const) const;
  bool IsMostlyOpen() const;  // whether the value is not exact on more than half of those reached
  bool IsNoisy() const;       // at least half of the ratios of several rounds
  bool IsThin() const;        // rests on fewer than 6 problems, or on ratios of single rounds
  // "kane:a with rk4 (5 of 8)": the variant and integrator that the most values rest on. Empty where none was reached.
  std::string MostOften() const;
  // Why a field has no finite median: the commonest reason among the problems counted, or among all where none counts.
  MapStanding Reason() const;
};

struct MapMeasure {
  std::string name, label, unit;  // "time_at_1e-6", "time at 1e-6", "x" of a ratio or "" of a value
  std::string title;              // "Time over that of the fastest"
  std::vector<std::vector<MapField>> fields = {};  // by kind, by family
  // "a (61 of 90)": the variant that the most values of a family rest on. Empty where none was reached.
  std::string MostOftenOf(std::size_t family) const;
};

struct MechanismMap {
  std::vector<std::string> kinds, families;
  std::size_t engines = 0;  // the number of engines, which are the last families
  std::vector<MapMeasure> measures;
};

MechanismMap MakeMechanismMap(const Comparison& comparison, const std::vector<Target>& targets);

// The best of a family's variants at a target; nullptr where none reached it.
const Attempt* BestOfFamily(const Target& target, const std::string& family);

}  // namespace mbsbench::reports
