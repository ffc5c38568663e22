// The cost and the accuracy of each family of methods on each kind of mechanism: the map at the top of the report.
#pragma once

#include <optional>
#include <string>
#include <vector>

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

// The families of methods of which a motion was planned or an evaluation timed, in the order of the comparison, engines last.
std::vector<std::string> MethodFamilies(const Comparison& comparison);

// How a family stands on one problem.
enum class MapStanding {
  kReached,
  kInaccurate,
  kNotFound,  // no cell that ran holds it, and finer settings were not tried
  kTooLong,   // a finer cell was stopped or skipped, since it takes too long
  kFailed,
  kRefused,
  kNotYet,    // not reached by the cells run and timed so far; others are still to come
  kNotBegun,  // so, and nothing has been compared there yet
  kSkipped,   // planned, and not run for a reason that its cells state
  kNotRun,    // not planned
  kAlone      // no motion of another family was run there, so its time is compared with none
};
const char* NameOf(MapStanding standing);

struct MapEntry {
  const ProblemResults* problem = nullptr;
  MapStanding standing = MapStanding::kNotRun;
  std::string method = "", integrator = "";  // the best of the family, where it reached something
  std::string setting = "";  // of the cell that the value is read from, if it is one
  double value = 0;          // of the measure, where the standing is kReached
  bool is_at_limit = false;  // its error is below that of the reference, which is shown instead
  bool is_so_far = false;    // finer settings that may have a smaller error were not run
  // What follows belongs to measures of time.
  bool has_rivals = true;               // whether other families were run there
  std::string time = "";                // in words, also where the standing is kAlone
  std::string against = "";             // the base of the ratio: method and integrator
  bool is_base = false;                 // it is the base itself
  std::optional<TimeRatio> ratio = {};  // of paired rounds
  TimeVerdict verdict = {};             // among the families that are no engines
  bool IsTaken() const {
    return standing != MapStanding::kRefused && standing != MapStanding::kNotBegun &&
           standing != MapStanding::kSkipped && standing != MapStanding::kNotRun;
  }
  bool IsOpen() const { return ratio && verdict.IsOpen(); }
  bool HasTwoIntegrators() const { return ratio && ratio->has_two_integrators; }
};

// One family on one kind. A problem that was run and not reached counts as infinite. One that was refused, not planned or not
// run to the end is left out. So is, of measures of time, one on which no other family was run.
struct MapField {
  std::vector<MapEntry> entries;  // all problems of the kind that the measure can judge
  std::optional<double> median;   // infinite where most were not reached; empty where none counts
  double low = 0, high = 0;       // the least and the largest of the values
  int counted = 0;                // problems that the median is over
  int Count(MapStanding standing) const;
  int Reached() const { return Count(MapStanding::kReached) + Count(MapStanding::kAlone); }
  // Problems that the family takes, that are planned, and whose comparison has begun.
  int Taken() const;
  // "?†°": see kMarksInWords. A mark of ratios stands where it holds for more than half of them.
  std::string Marks() const;
  // Why a field has no finite median: the commonest reason among the problems counted, or among all where none counts.
  MapStanding Reason() const;
};

struct MapMeasure {
  std::string name, label, unit;  // "time_at_1e-6", "1e-6", "x" of a ratio or "" of a value
  std::string title;              // "Time over that of the fastest at an error of 1e-6"
  std::string note = "";          // what holds for this measure alone
  std::vector<std::vector<MapField>> fields = {};  // by kind, by family
  // "1.20†", "3.1e-8°", or why the field has no finite median.
  std::string InWords(const MapField& field) const;
  // The field of all kinds of mechanisms together.
  MapField Overall(std::size_t family) const;
  // "a (61 of 90)": the variant that the most values of a family rest on. Empty where none was reached.
  std::string MostOftenOf(std::size_t family) const;
};

inline constexpr const char* kOneEvaluation = "one_evaluation";  // a measure
inline constexpr const char* kDefaultVariant = "default";        // of a family

struct MechanismMap {
  std::vector<std::string> kinds, families;
  std::size_t engines = 0;  // the number of engines, which are the last families
  std::vector<MapMeasure> measures;
  std::size_t first = 0;  // the measure to show first: the finest target that is mostly measured

  bool IsEngine(std::size_t family) const { return family + engines >= families.size(); }
  const MapMeasure* Find(const std::string& name) const;  // nullptr where there is none
  const MapMeasure* AtTarget(double error) const;
};

MechanismMap MakeMechanismMap(const Comparison& comparison, const std::vector<Target>& targets);

// The best of a family's variants at a target; nullptr where none reached it.
const BestTime* BestOfFamily(const Target& target, const std::string& family);

}  // namespace mbsbench::reports
