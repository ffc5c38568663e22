#include "reports/analysis/equal_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "reports/format/format.h"

namespace mbsbench::reports {

const char* NameOf(TimeAtError::Kind kind) {
  switch (kind) {
    case TimeAtError::Kind::kReached: return "reached";
    case TimeAtError::Kind::kAtMost: return "at most";
    case TimeAtError::Kind::kNotReached: return "not reached";
    case TimeAtError::Kind::kNotPlanned: return "no finer cell";
    case TimeAtError::Kind::kNotTimed: return "not timed yet";
    case TimeAtError::Kind::kNotRun: return "not run yet";
    case TimeAtError::Kind::kNotJudgeable: return "cannot be judged";
  }
  return "";
}

namespace {

struct RatioKindWords {
  const char *name, *mark;
};
constexpr RatioKindWords kRatioKinds[] = {
    {"exact", ""}, {"guess", "≈ "}, {"at most", "≤ "}, {"at least", "≥ "}, {"of two bounds", "~"}};

}  // namespace

std::string TimeRatio::Name() const {
  const std::string name = kRatioKinds[static_cast<int>(kind)].name;
  return IsBoundOfGuess() ? name + ", guess" : name;
}

std::string TimeRatio::Mark() const {
  if (IsBoundOfGuess()) return kind == Kind::kAtMost ? "≲ " : "≳ ";
  return kRatioKinds[static_cast<int>(kind)].mark;
}

std::string BestTime::Curve() const { return method + " with " + integrator; }

TimeAtError::Kind WhyNoTime(const ProblemResults& problem, const std::string& method,
                            const std::string& integrator, double error) {
  return problem.record.reference || IsJudged(problem)
             ? problem.WhyNoTime(method, integrator, error)
             : TimeAtError::Kind::kNotJudgeable;
}

TimeAtError TimeOf(const ProblemResults& problem, const Curve& curve, double error) {
  // Cells at the limit of the reference may be as accurate as a smaller error or not.
  TimeAtError time;
  if (error >= problem.record.KnownError())
    time = InterpolateEnvelope(EnvelopeOf(problem, curve), error);
  if (!time.known()) time.kind = WhyNoTime(problem, curve.method, curve.integrator, error);
  time.has_rivals = HasRivals(problem, Rivals::kMethods);
  return time;
}

std::vector<ErrorTimePoint> EnvelopeOf(const ProblemResults& problem, const Curve& curve) {
  std::vector<ErrorTimePoint> points;
  for (const Cell* cell : curve.cells) {
    const auto error = Resolved(problem, *cell);
    if (cell->finished() && error && cell->cpu)
      points.push_back({error->value, cell->cpu->minimum, cell, error->is_at_limit});
  }
  return LowerEnvelope(std::move(points));
}

BestTime BestOfMethod(const ProblemResults& problem, const std::string& method,
                      const std::string& integrator, double error) {
  std::vector<BestTime> times;
  for (const Curve& curve : Curves(problem)) {
    if (curve.method == method && (integrator.empty() || curve.integrator == integrator))
      times.push_back({method, curve.integrator, TimeOf(problem, curve, error)});
  }
  if (const BestTime* best = LeastTime(times)) return *best;
  return {method, "", {WhyNoTime(problem, method, integrator, error)}};
}

std::vector<BestTime> BestOfEachMethod(const Comparison& comparison, const ProblemResults& problem,
                                       const std::string& integrator, double error) {
  std::vector<BestTime> times;
  for (const std::string& method : comparison.methods) {
    const bool has_cells = std::ranges::any_of(problem.cells, [&](const Cell& cell) {
      return cell.method == method && cell.integrator != kSteadySolver &&
             (integrator.empty() || cell.integrator == integrator);
    });
    if (has_cells) times.push_back(BestOfMethod(problem, method, integrator, error));
  }
  return times;
}

TimeAtError NotKnown(const std::vector<BestTime>& times) {
  using enum TimeAtError::Kind;
  TimeAtError none;
  if (!times.empty() &&
      std::ranges::all_of(times, [](const BestTime& one) { return one.time.kind == kNotPlanned; }))
    none.kind = kNotPlanned;
  for (const BestTime& one : times) {
    if (one.time.kind == TimeAtError::Kind::kNotJudgeable) return one.time;  // by no method
    if (one.time.is_open() && none.kind != TimeAtError::Kind::kNotTimed) none.kind = one.time.kind;
  }
  return none;
}

std::vector<std::size_t> RankedByTime(const std::vector<TimeAtError>& all) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&all](std::size_t i) { return all[i].SecondsOrInfinity(); });
  const auto is_beaten = [&all](std::size_t i, bool for_certain) {
    return !all[i].known() || std::ranges::any_of(all, [&](const TimeAtError& other) {
      if (!other.known() || ValueOfRatio(other, all[i]) >= 1) return false;
      // A time may be far below its bound.
      return for_certain ? RatioOf(other, all[i])->Verdict() == Verdict::kFaster
                         : IsBound(other) || !IsBound(all[i]);
    });
  };
  auto fastest =
      std::ranges::find_if_not(order, [&](std::size_t i) { return is_beaten(i, false); });
  if (fastest == order.end())  // each is beaten by another, in a circle
    fastest = std::ranges::find_if_not(order, [&](std::size_t i) { return is_beaten(i, true); });
  if (fastest == order.end()) return order;
  std::rotate(order.begin(), fastest, fastest + 1);
  std::vector<double> ratios;
  for (const TimeAtError& time : all)
    ratios.push_back(time.known() ? ValueOfRatio(time, all[order.front()]) : INFINITY);
  std::ranges::stable_sort(order.begin() + 1, order.end(), {},
                           [&ratios](std::size_t i) { return ratios[i]; });
  return order;
}

const BestTime* Fastest(const std::vector<BestTime>& times) {
  if (times.empty()) return nullptr;
  const BestTime& fastest = times[RankedByTime(TimesOf(times)).front()];
  return fastest.time.known() ? &fastest : nullptr;
}

const BestTime* Next(const std::vector<BestTime>& times) {
  if (times.size() < 2) return nullptr;
  const BestTime& next = times[RankedByTime(TimesOf(times))[1]];
  return next.time.known() ? &next : nullptr;
}

std::string WhyNoNext(const TimeRatio& ratio) {
  if (ratio.kind == TimeRatio::Kind::kOfTwoBounds) return "the first two times are bounds";
  if (ratio.value >= 1) return "";
  return ratio.kind == TimeRatio::Kind::kAtLeast ? "the time of the fastest is a bound"
                                                 : "each is beaten by another in the paired rounds";
}

const BestTime* BaseOfRatios(const std::vector<BestTime>& times) {
  const BestTime* fastest = Fastest(times);
  return fastest && fastest->time.has_rivals ? fastest : nullptr;
}

bool IsJudged(const ProblemResults& problem) {
  return std::ranges::any_of(problem.cells, [](const Cell& cell) {
    return (cell.error || cell.error_until_failure) && cell.integrator != kSteadySolver;
  });
}

bool IsBound(const TimeAtError& time) { return time.kind == TimeAtError::Kind::kAtMost; }

std::string FormatTime(const TimeAtError& time) {
  if (!time.known()) return NameOf(time.kind);
  if (time.IsGuess()) return (IsBound(time) ? "≲ " : "≈ ") + FormatSecondsWith(2, time.seconds);
  return (IsBound(time) ? "≤ " : "") + FormatSeconds(time.seconds);
}

const char* TimeKindOf(const TimeAtError& time) {
  return IsBound(time)           ? "at most"
         : time.IsInterpolated() ? "interpolated"
         : time.known()          ? "at a cell"
                                 : "";
}

std::string FormatRatio(double ratio) {
  const int decimals = ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", ratio, decimals);
}

double ValueOfRatio(const TimeAtError& time, const TimeAtError& base) {
  const std::vector<double> ratios = PairedRatios(time.Rounds(), base.Rounds());
  return ratios.empty() ? time.seconds / base.seconds : Median(ratios);
}

TimeRatio RatioOf(const Cell& cell, const Cell& base) {
  const std::vector<double> ratios = PairedRatios(cell.rounds, base.rounds);
  return {TimeRatio::Kind::kExact,
          ratios.empty() ? cell.cpu->minimum / base.cpu->minimum : Median(ratios),
          SpreadOf(ratios)};
}

std::optional<TimeRatio> RatioOf(const TimeAtError& time, const TimeAtError& base) {
  if (!time.known() || !base.known()) return std::nullopt;
  using enum TimeRatio::Kind;
  const bool has_guess = time.IsGuess() || base.IsGuess();
  const auto kind = IsBound(time) && IsBound(base) ? kOfTwoBounds
                    : IsBound(time)                ? kAtMost
                    : IsBound(base)                ? kAtLeast
                    : has_guess                    ? kGuess
                                                   : kExact;
  return TimeRatio{
      kind, ValueOfRatio(time, base),
      kind == kOfTwoBounds ? std::nullopt : SpreadOf(PairedRatios(time.Rounds(), base.Rounds())),
      has_guess, time.Integrator() != base.Integrator()};
}

TimeRatio TimeRatio::Over(double divisor) const {
  TimeRatio over = *this;
  over.value /= divisor;
  if (spread)
    over.spread->interval = {spread->interval.low / divisor, spread->interval.high / divisor};
  return over;
}

Verdict TimeRatio::Verdict() const {
  std::optional<RatioSpread> judged = spread;
  if (judged && has_guess) {
    judged->interval.low /= kGuessFactor;
    judged->interval.high *= kGuessFactor;
  }
  const reports::Verdict verdict = Judge(judged);
  const bool is_certain = kind == Kind::kExact || kind == Kind::kGuess ||
                          (kind == Kind::kAtMost && verdict == reports::Verdict::kFaster) ||
                          (kind == Kind::kAtLeast && verdict == reports::Verdict::kSlower);
  return is_certain ? verdict : reports::Verdict::kUndecided;
}

std::string TimeRatio::WhyUndecided() const {
  if (!has_guess || Verdict() != reports::Verdict::kUndecided) return "";
  TimeRatio unwidened = *this;
  unwidened.has_guess = false;
  return unwidened.Verdict() == reports::Verdict::kUndecided
             ? ""
             : fmt::format("a time is a guess (≈), which may be off by a factor of {:g}",
                           kGuessFactor);
}

TimeVerdict VerdictAmong(const TimeAtError& time, const std::vector<TimeAtError>& all) {
  if (!time.known() || all.empty()) return {};
  if (!time.has_rivals) return {kOnlyMethodRun, kOnlyMethodRun};
  const std::vector<std::size_t> ranked = RankedByTime(all);
  const TimeAtError& fastest = all[ranked.front()];
  if (!fastest.known()) return {};
  const auto in_words = [](Verdict verdict, const char* what, std::string why) -> TimeVerdict {
    const std::string name = NameOf(verdict);
    return {name, name + (verdict == Verdict::kUndecided ? what : ""), std::move(why)};
  };
  if (time.seconds != fastest.seconds) {
    const TimeRatio ratio = *RatioOf(time, fastest);
    return in_words(ratio.Verdict(), " whether slower", ratio.WhyUndecided());
  }
  bool is_alone = true, is_open = false;
  std::set<std::string> reasons;
  for (const std::size_t other : ranked) {
    if (other == ranked.front() || !all[other].known()) continue;
    const TimeRatio ratio = *RatioOf(all[other], fastest);
    const Verdict verdict = ratio.Verdict();
    is_alone = is_alone && verdict == Verdict::kSlower;
    is_open = is_open || verdict == Verdict::kUndecided;
    if (verdict == Verdict::kUndecided) reasons.insert(ratio.WhyUndecided());
  }
  if (is_alone) return {kFastest, kFastest};
  return in_words(is_open ? Verdict::kUndecided : Verdict::kAlike, " whether the fastest",
                  reasons.size() == 1 ? *reasons.begin() : "");
}

std::vector<const BestTime*> Leaders(const std::vector<BestTime>& times) {
  std::vector<const BestTime*> leaders;
  const std::vector<TimeAtError> all = TimesOf(times);
  for (const std::size_t i : RankedByTime(all)) {
    if (all[i].known() && VerdictAmong(all[i], all).name != NameOf(Verdict::kSlower))
      leaders.push_back(&times[i]);
  }
  return leaders;
}

std::string FormatRatio(const TimeRatio& ratio) { return ratio.Mark() + FormatRatio(ratio.value); }

std::string MarkedRatio(const TimeRatio& ratio) {
  return FormatRatio(ratio) + (ratio.has_two_integrators ? kTwoIntegrators : "");
}

std::string RatioKindOf(const TimeAtError& time, const TimeAtError& base) {
  const auto ratio = RatioOf(time, base);
  return ratio ? ratio->Name() : "";
}

TableCell RatioCell(const TimeAtError& time, const TimeAtError& base, const std::string& tone) {
  const auto ratio = RatioOf(time, base);
  if (!ratio) return {"-", nullptr, tone};
  const bool is_itself = time.seconds == base.seconds;
  if (is_itself) return {FormatRatio(ratio->value), ratio->value, tone};
  if (ratio->kind == TimeRatio::Kind::kOfTwoBounds) return {MarkedRatio(*ratio), nullptr, tone};
  return {fmt::format("{} ({})", MarkedRatio(*ratio), Describe(ratio->spread)), ratio->value, tone};
}

}  // namespace mbsbench::reports
