// What each method costs at equal error, and which one is the fastest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/cells.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

inline constexpr double kErrorLevels[] = {1e-3, 1e-6, 1e-9};

// "reached", "at most", "not reached", "no finer cell", "not timed yet", "not run yet", "cannot be judged"
const char* NameOf(TimeAtError::Kind kind);

// The time of one method at one error, with its fastest integrator.
struct BestTime {
  std::string method, integrator = "";
  TimeAtError time = {};
  std::string Curve() const;  // "method:variant with integrator"
};

// Of the cells that finished with an error and a time. The error of a cell at the limit of the reference counts as that limit:
// all that is known is that it is not larger.
std::vector<ErrorTimePoint> EnvelopeOf(const ProblemResults& problem, const Curve& curve);

// Why there is no time of these at this error. Without a reference no method can be judged, and none failed to reach an error.
TimeAtError::Kind WhyNoTime(const ProblemResults& problem, const std::string& method,
                            const std::string& integrator, double error);

TimeAtError TimeOf(const ProblemResults& problem, const Curve& curve, double error);

// Of all curves of `method` (of those with `integrator`, unless empty).
BestTime BestOfMethod(const ProblemResults& problem, const std::string& method,
                      const std::string& integrator, double error);

// Of all methods that have cells of the problem, in the order of the comparison.
std::vector<BestTime> BestOfEachMethod(const Comparison& comparison, const ProblemResults& problem,
                                       const std::string& integrator, double error);

// Why none of these reached the error: cells that might are still to be run or timed, or none did.
TimeAtError NotKnown(const std::vector<BestTime>& times);

// The order in which times are listed: the fastest, then the others by their ratio to it, last those that are not known. The
// fastest is the least time that no other beats in the paired rounds, because a least time may come from one lucky round; if each
// is beaten by another, the least time that no other is known to beat.
std::vector<std::size_t> RankedByTime(const std::vector<TimeAtError>& all);

// The fastest in a list; nullptr where none reached the error.
const BestTime* Fastest(const std::vector<BestTime>& times);

// The second of RankedByTime; nullptr where no other reached the error.
const BestTime* Next(const std::vector<BestTime>& times);

// Whether any motion of a problem has an error. Without a reference nothing can be compared at equal error.
bool IsJudged(const ProblemResults& problem);

// The error costs at most this time: the coarsest cell is already more accurate, or the finer cell is at the limit of the
// reference and may be more accurate than that.
bool IsBound(const TimeAtError& time);

// "12.3 ms", "≤ 12.3 ms", "≈ 12 ms" of a guess, "≲ 12 ms" of a bound that is a guess, "not reached", "not run yet"
std::string FormatTime(const TimeAtError& time);

// For files: "at a cell", "interpolated", "at most"; empty where the time is not known.
const char* TimeKindOf(const TimeAtError& time);

std::string FormatRatio(double ratio);  // three digits

// time / base.
struct TimeRatio {
  enum class Kind {
    kExact,
    kGuess,    // one of the two times is a guess, or both are
    kAtMost,   // the time is a bound
    kAtLeast,  // the base is a bound
    kOfTwoBounds
  };
  Kind kind = Kind::kExact;
  double value =
      0;  // the median of the paired rounds; without a pair, the ratio of the least times
  std::optional<RatioSpread> spread = {};  // none of two bounds
  bool has_guess = false;                  // whatever the kind
  bool has_two_integrators = false;

  bool IsBound() const {
    return kind == Kind::kAtMost || kind == Kind::kAtLeast || kind == Kind::kOfTwoBounds;
  }
  // One of the times is a bound and another is a guess, so that the true ratio may lie beyond the value.
  bool IsBoundOfGuess() const {
    return has_guess && (kind == Kind::kAtMost || kind == Kind::kAtLeast);
  }
  // "exact", "guess", "at most", "at most, guess", "at least", "of two bounds"
  std::string Name() const;
  std::string Mark() const;  // "", "≈ ", "≤ ", "≲ ", "≥ ", "≳ ", "~"
  TimeRatio Over(double divisor) const;
  // Of the time against the base. A bound may leave it undecided. The interval of a ratio with a guess is widened by
  // kGuessFactor first.
  reports::Verdict Verdict() const;
  // "a time is a guess (≈), ..." where only that leaves the verdict undecided; else empty.
  std::string WhyUndecided() const;
};

// The mark of a ratio whose times have different integrators, and the words that explain it.
inline constexpr const char* kTwoIntegrators = "†";
inline constexpr const char *kNoisyRatios = "‡",
                            *kThinEvidence = "*";  // marks of a field of the map
inline constexpr const char* kTwoIntegratorsRule =
    "each method with its own fastest integrator; † marks a ratio of two integrators";

// The verdict on `time` against the fastest of `all`, of which it may be one: "slower", "alike" or "undecided". On the
// fastest itself: "fastest" where all others are slower, else "alike" or "undecided". `kOnlyMethodRun` where it has no
// rivals. Empty where the time is not known, or none of `all` is.
struct TimeVerdict {
  std::string name;
  std::string words;  // next to a time: "undecided whether slower", "undecided whether the fastest"
  std::string why = {};  // see TimeRatio::WhyUndecided
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

// The base of ratios: the fastest, if it has rivals.
const BestTime* BaseOfRatios(const std::vector<BestTime>& times);

// Those that are not known to be slower than the fastest, in the order of RankedByTime.
std::vector<const BestTime*> Leaders(const std::vector<BestTime>& times);

// Of two known times: the value of their TimeRatio.
double ValueOfRatio(const TimeAtError& time, const TimeAtError& base);

// Of the whole times of two timed cells.
TimeRatio RatioOf(const Cell& cell, const Cell& base);

// Empty where a time is not known.
std::optional<TimeRatio> RatioOf(const TimeAtError& time, const TimeAtError& base);

// Why the second of RankedByTime, with this ratio to the first, is not known to come next; empty where it is.
std::string WhyNoNext(const TimeRatio& ratio);

std::string FormatRatio(const TimeRatio& ratio);  // "2.80", "≈ 2.80", "≤ 2.80", "≲ 2.80", "~2.80"
std::string MarkedRatio(const TimeRatio& ratio);  // "2.80†" where the integrators differ

// The kind of the ratio, for files. Empty where a time is not known.
std::string RatioKindOf(const TimeAtError& time, const TimeAtError& base);

// "2.80† (2.50 to 3.10, 8 rounds)" with its value for files, which a ratio of two bounds does not have; "-" where a time
// is not known.
TableCell RatioCell(const TimeAtError& time, const TimeAtError& base, const std::string& tone);

}  // namespace mbsbench::reports
