// What each family of methods needs on each kind of mechanism: the picture on top of the report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/equal_error.h"
#include "reports/statistics.h"
#include "reports/targets.h"

namespace mbsbench::reports {

// The kind of mechanism that a problem is, by what the store says of it: "trees below 50 bodies".
std::string KindOf(const ProblemResults& problem);
std::string NameOfKind(bool has_loops, bool is_large);  // of what is neither driven nor changes

// The families of methods that were asked for a motion, in the order of the comparison, engines last.
std::vector<std::string> MethodFamilies(const Comparison& comparison);

// How a family stands on one problem.
enum class MapStanding {
  kReached,
  kInaccurate,
  kFailed,
  kRefused,
  kNotYet,  // not reached by the cells that were run and timed; others are not yet
  kNotRun,
  kAlone  // of no other family was a motion run there, so its time is compared with none
};
const char* NameOf(MapStanding standing);

struct MapEntry {
  const ProblemResults* problem = nullptr;
  MapStanding standing = MapStanding::kNotRun;
  std::string method = "", integrator = "";  // the best of the family, where it reached something
  std::string setting = "";                  // of the cell that says it, where one cell does
  double value = 0;                          // of kReached: what the measure says
  bool is_at_limit = false;  // an error below that of the reference, which stands for it
  bool has_rivals = true;    // of a time: whether other families were run there, too
  TimeAtError time = {};     // likewise, of a time; also of kAlone
  BestTime fastest = {};     // likewise: what that is compared with, whatever its integrator
  // Whether the value is not exact: one of the two times is an upper bound, or the reference resolves no smaller error.
  bool IsOpen() const { return IsBound(time) || IsBound(fastest.time) || is_at_limit; }
  std::vector<double> by_round = {};  // the ratio of each paired round, of a time
};

// One family on one kind. A problem that was run and not reached counts as infinite; one that was refused, not run or not
// run to the end is left out, and of times so is one on which no other family was run, reached or not.
struct MapField {
  std::vector<MapEntry> entries;  // all problems of the kind that the measure can judge
  int counted = 0;                // those that the median is over, n of the N entries
  std::optional<double> median;   // infinite where most were not reached; empty where none counts
  Interval interval;              // 95 %, resampling problems, then rounds
  int Count(MapStanding standing) const;
  bool IsMostlyOpen() const;  // of more than half of those reached the ratio is not exact
  // Of a field without a finite median: why most of those counted, or of all where none counts, were not reached.
  MapStanding Reason() const;
};

struct MapMeasure {
  std::string name, label, unit;  // "time_at_1e-6", "time at 1e-6", "x" of a ratio or "" of a value
  std::string title;              // "Time over that of the fastest"
  std::optional<double> error;    // at which times are compared
  std::vector<std::vector<MapField>> fields;  // by kind, by family
};

struct MechanismMap {
  std::vector<std::string> kinds, families;
  std::size_t engines = 0;  // how many of the families, the last ones, are engines
  std::vector<MapMeasure> measures;
};

MechanismMap MakeMechanismMap(const Comparison& comparison, const std::vector<Target>& targets);

// The best of a family's variants at a target; `known()` is false where none reached it.
const Attempt* BestOfFamily(const Target& target, const std::string& family);

}  // namespace mbsbench::reports
