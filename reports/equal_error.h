// What each method costs at equal error, and who is fastest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/cells.h"
#include "reports/document.h"

namespace mbsbench::reports {

inline constexpr double kErrorLevels[] = {1e-3, 1e-6, 1e-9};

// "reached", "at most", "not reached", "not timed yet", "not reached yet"
const char* NameOf(TimeAtError::Kind kind);

// Of one method at one error: its best integrator.
struct BestTime {
  std::string method, integrator;
  TimeAtError time;
  // "method:variant with integrator": what a ratio of its time is formed of.
  std::string Curve() const;
};

// Of all curves of `method` (of those with `integrator`, unless empty).
BestTime BestOfMethod(const ProblemResults& problem, const std::string& method,
                      const std::string& integrator, double error);

// Of all methods that the problem has cells of, in the order of the comparison.
std::vector<BestTime> BestOfEachMethod(const Comparison& comparison, const ProblemResults& problem,
                                       const std::string& integrator, double error);

// What stands where none of these reached the error: that cells which might are not run yet, or that none did.
TimeAtError NotKnown(const std::vector<BestTime>& times);

// The order in which times are listed: the fastest, the others by rising least time, those that are not known. The fastest is
// the least time that no other is known to beat: a least time may come from one lucky round, and the paired rounds decide.
std::vector<std::size_t> RankedByTime(const std::vector<TimeAtError>& all);

// The fastest in a list; nullptr when nobody reached the error.
const BestTime* Fastest(const std::vector<BestTime>& times);

// Whether any cell of a problem has an error: without a reference nothing can be compared at equal
// error.
bool IsJudged(const ProblemResults& problem);

// Already the coarsest cell is better than the error: what the error costs is at most this time.
bool IsBound(const TimeAtError& time);

// "12.3 ms", "≤ 12.3 ms", "≈ 12 ms" of a guess, "not reached", "not reached yet"
std::string FormatTime(const TimeAtError& time);

// For files: "at a cell", "interpolated", "at most"; empty where it is not known.
const char* TimeKindOf(const TimeAtError& time);

std::string FormatRatio(double ratio);  // three digits

// time / base, where one of the two may be a bound.
struct TimeRatio {
  enum class Kind { kExact, kAtMost, kAtLeast };
  Kind kind = Kind::kExact;
  double value = 0;  // the median of the paired rounds; without one of the least times of both
  std::optional<RatioSpread> spread = {};

  // Of the one above against the one below. A bound may leave it open.
  reports::Verdict Verdict() const;
};

const char* NameOf(TimeRatio::Kind kind);  // "exact", "at most", "at least"
const char* MarkOf(TimeRatio::Kind kind);  // "", "≤ ", "≥ "

// Of `time` against the fastest of `all`, of which it may be one: "slower", "alike" or "undecided"; "fastest" of the
// fastest itself where all others are slower, else "alike" or "undecided"; `kOnlyMethodRun` where it has no rivals. Empty where
// it is not known.
struct TimeVerdict {
  std::string name;
  std::string words;  // beside a time: "undecided whether slower", "undecided whether the fastest"
};
TimeVerdict VerdictAmong(const TimeAtError& time, const std::vector<TimeAtError>& all);

// Of things that have a `time`.
std::vector<TimeAtError> TimesOf(const auto& timed) {
  std::vector<TimeAtError> times;
  for (const auto& one : timed) times.push_back(one.time);
  return times;
}

inline constexpr const char* kFastest = "fastest";
inline constexpr const char* kOnlyMethodRun = "the only method run";

// What ratios are to: the fastest, where it has rivals.
const BestTime* BaseOfRatios(const std::vector<BestTime>& times);

// Those that are not slower than the fastest, as they are ranked.
std::vector<const BestTime*> Leaders(const std::vector<BestTime>& times);

// time / base, whatever they are: the value of a TimeRatio.
double ValueOfRatio(const TimeAtError& time, const TimeAtError& base);
double ValueOfRatio(const Cell& cell, const Cell& base);  // of their whole times, which both have

// Empty where a time is not known, and where both are bounds: a bound over a bound says nothing.
std::optional<TimeRatio> RatioOf(const TimeAtError& time, const TimeAtError& base);

std::string FormatRatio(const TimeRatio& ratio);  // "2.80", "≤ 2.80", "≥ 2.80"

// For files: "exact", "at most", "at least"; "of two bounds" where neither time is a value.
const char* RatioKindOf(const TimeAtError& time, const TimeAtError& base);

// The same of two times; "~2.80" where both are bounds, "-" where one is not known.
std::string FormatRatio(const TimeAtError& time, const TimeAtError& base);

// The same with its range and number of rounds, and with its value for files; a ratio of two bounds has none.
TableCell RatioCell(const TimeAtError& time, const TimeAtError& base, const std::string& tone);

}  // namespace mbsbench::reports
