// The time of each method at a target, and which one is the fastest. A target is an error that the reader names. Its time is that
// of a cell that ran: nothing is interpolated.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/cells.h"

namespace mbsbench::reports {

struct TimeAtError {
  enum class Kind {  // from the best to the worst news
    kReached,
    kNotTimed,     // a cell holds the target, but its time is not measured yet
    kNotRun,       // no cell holds the target so far, and others are still to be run
    kTooLong,      // as below, and a finer cell was skipped or stopped by its time or memory limit
    kNotFound,     // no cell that ran holds the target, and finer settings were not tried
    kNotReached,   // out of reach: the finest settings of the grid miss the target, too
    kNotJudgeable  // the reference, or round-off in the data, does not allow the target to be judged
  };
  Kind kind = Kind::kNotReached;
  double target = 0;
  double seconds = 0;             // of kReached
  const Cell* cell = nullptr;     // of kReached and kNotTimed
  const Cell* coarser = nullptr;  // the next coarser cell, if it finished; it misses the target
  // No coarser setting is sensible, or the next one of the grid failed: it misses the target and has no time.
  bool is_at_coarse_end = false;
  std::optional<double> least_error = {};  // of kNotReached, kNotFound and kTooLong
  std::string outcome = {};  // of kNotReached without any error: how the first cell ended
  bool has_rivals = true;    // false: its method is the only one that was run on the problem

  bool known() const { return kind == Kind::kReached; }
  // That outcome, else the name of the kind: "not reached", "not run yet".
  std::string Status() const;
  double SecondsOrInfinity() const { return known() ? seconds : INFINITY; }
  // An unfinished run may still find it.
  bool is_open() const { return kind == Kind::kNotTimed || kind == Kind::kNotRun; }
  Rounds RoundsAtTarget() const;
  // The set-up takes more than a fifth of the integration.
  bool HasLongSetUp() const;
};

// "12.3 ms", "not reached", "not run yet"
std::string FormatTime(const TimeAtError& time);
// The time with the reason: "not reached (least error 3.1e-5)"
std::string DescribeTime(const TimeAtError& time);

// Whether the reference and the problem allow to judge a target: it is at least ten times the error that is known.
bool JudgesTarget(const ProblemResults& problem, double target);

// Whether any motion of a problem has an error. Without a reference nothing can be compared at a target.
bool IsJudged(const ProblemResults& problem);

// Whether the plan asks for times of a curve, or of a motion of a method that takes the problem. It asks for none of a variant
// whose errors alone a claim compares.
bool AsksForTimes(const ProblemResults& problem, const Curve& curve);
bool AsksForTimes(const ProblemResults& problem, const std::string& method);

// The time of one method at a target, with its fastest integrator.
struct BestTime {
  std::string method, integrator = "";
  TimeAtError time = {};
  std::string Curve() const;  // "method:variant with integrator"
};

// The time of one curve: that of the coarsest cell that holds the target and whose next finer cell, if one ran, holds it too.
TimeAtError TimeOf(const ProblemResults& problem, const Curve& curve, double target);

// Whether finer settings of a curve may have a smaller error than its cells. They may not where the finest setting ran, or where
// two settings finer than that of the least error did not lower it.
bool MayFallFurther(const ProblemResults& problem, const Curve& part);

// The least time over all curves of `method`.
BestTime BestOfMethod(const ProblemResults& problem, const std::string& method, double target);

// All methods with times for which AsksForTimes, in the order of the comparison.
std::vector<BestTime> BestOfEachMethod(const Comparison& comparison, const ProblemResults& problem,
                                       double target);

// The least time of each family of methods, without a time its most hopeful member.
std::vector<BestTime> BestOfEachFamily(const Comparison& comparison, const ProblemResults& problem,
                                       double target);

// Why none of these holds the target.
TimeAtError NotKnown(const std::vector<BestTime>& times);

// "1.10 to 1.15, 8 rounds", "1.10 to 1.35, 8 rounds, noisy"; "1 round"
std::string SpreadInWords(const std::optional<RatioSpread>& spread);

// time / base. Settings lie on a grid, so that a cell does a little better than asked: the ratio of the times at the target
// itself lies between `least` and `most`, in which one of the two is replaced by its next coarser cell.
struct TimeRatio {
  double value =
      0;  // the median of the paired rounds; without a pair, the ratio of the least times
  std::optional<RatioSpread> spread = {};
  struct GridEnd {
    bool is_needed = false;
    std::optional<RatioSpread> spread = {};  // empty where the coarser cell was not run or timed
  };
  GridEnd least = {}, most = {};
  bool has_two_integrators = false;

  TimeRatio Over(double divisor) const;
  PairVerdict Verdict() const;
  std::string WhyOpen() const;  // of an open verdict
};

// The ratio of the whole times of two timed cells, each with its set-up.
TimeRatio RatioWithSetUp(const Cell& cell, const Cell& base);

// Empty where a time is not known.
std::optional<TimeRatio> RatioOf(const TimeAtError& time, const TimeAtError& base);

// The wall time of a method with several threads over the time of `base`. Empty for others, and without a paired round.
std::optional<RatioSpread> RatioByTheClock(const TimeAtError& time, const TimeAtError& base);

// The marks of the report, and what they mean.
inline constexpr const char *kOpenMark = "?", *kTwoIntegrators = "†", *kSoFar = "°";
inline constexpr const char* kMarksInWords =
    "? not decided yet. † not with the integrator of the fastest. ° so far: finer settings were "
    "not run";
inline constexpr const char* kFastest = "fastest";
inline constexpr const char* kOnlyMethodRun = "the only method run";

struct TimeVerdict {
  std::string name;      // "fastest", "slower", "alike", "open"; empty where no time is known
  std::string why = {};  // it is open
  std::string Words() const { return why.empty() ? name : name + ": " + why; }
  bool IsOpen() const { return name == NameOf(PairVerdict::kOpen); }
};

// The order of times, and the verdict on each against the fastest.
struct Ranking {
  std::vector<BestTime> times;
  // The fastest, then the others by their ratio to it, last those that are not known. The fastest is the least time that no
  // other beats in the paired rounds, because a least time may come from one lucky round.
  std::vector<std::size_t> order = {};
  std::vector<std::optional<TimeRatio>> ratios = {};  // to the fastest, of each of `times`
  std::vector<TimeVerdict> verdicts = {};             // on each of `times`

  const BestTime* Fastest() const;  // nullptr where none is known
  const BestTime* Base() const;     // of ratios: the fastest, if it has rivals
  // Whether one of `times` is known, and not known to be slower than the fastest.
  bool Leads(std::size_t i) const;
};
// "fastest" is only said where all others are slower: a rival that is not run or timed yet, and of whose family no other has a
// time, leaves it open.
Ranking Rank(std::vector<BestTime> times);

std::string MarkedRatio(const TimeRatio& ratio);  // "2.80†?" with its marks

}  // namespace mbsbench::reports
