#include "reports/analysis/time_at_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "harness/records/accuracy_bounds.h"
#include "harness/records/search_limits.h"
#include "harness/records/untried_limits.h"
#include "reports/analysis/outcomes.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

constexpr double kRoundOff = 1e-9;  // relative, of settings and targets
constexpr double kSamples = 100;
// The largest factor between neighbours on a grid of settings.
constexpr double kStepOfGrid = 2;
constexpr double kLongSetUp = 0.2;
constexpr double kJudgedFrom = 10;  // times the known error

bool IsStoppedByLimit(const Cell& cell) {
  return cell.outcome == "timeout" || cell.outcome == "out_of_memory" ||
         (cell.outcome == "skipped" && cell.reason.starts_with("expected"));
}

// Whether the cell ran to a result that counts: what a limit stopped says nothing of its error.
bool Ran(const Cell& cell) { return IsTried(cell.outcome) && !IsStoppedByLimit(cell); }

std::vector<const Cell*> RanOf(const Curve& part) {
  std::vector<const Cell*> ran;
  std::ranges::copy_if(part.cells, std::back_inserter(ran),
                       [](const Cell* cell) { return Ran(*cell); });
  return ran;
}

// Whether two settings of one curve are neighbours on its grid, or nearer.
bool AreNeighbours(const Cell& coarse, const Cell& fine) {
  const auto setting = [](const Cell& cell) {
    return cell.tolerance.value_or(cell.step.value_or(0));
  };
  return setting(coarse) <= kStepOfGrid * (1 + kRoundOff) * setting(fine);
}

// Whether the finest setting that a search may try is among the cells of a curve that ran.
bool RanToTheFinest(const ProblemResults& problem, const std::vector<const Cell*>& ran) {
  if (ran.empty()) return false;
  const Cell& finest = *ran.back();
  if (finest.tolerance) return *finest.tolerance <= kFinestTolerance * (1 + kRoundOff);
  if (!finest.step || ran.size() < 2 || !AreNeighbours(*ran[ran.size() - 2], finest)) return false;
  // The store does not name the finest step. It is the same for all curves of a problem, and a search out of reach ends with it and
  // its neighbour; where one curve alone ends there, many trials may have ended its search.
  int ends = 0;
  for (const Cell& cell : problem.cells) {
    if (!cell.step || !Ran(cell) || *cell.step > *finest.step * (1 + kRoundOff)) continue;
    if (*cell.step < *finest.step * (1 - kRoundOff)) return false;
    ++ends;
  }
  return ends > 1 || std::ssize(ran) < kMostTrials;
}

bool IsAtCoarseEnd(const ProblemResults& problem, const Cell& cell) {
  if (cell.tolerance) return *cell.tolerance >= kCoarsestTolerance * (1 - kRoundOff);
  const MaybeNumber end = cell.end_time ? cell.end_time : problem.record.end_time;
  return cell.step && end && *cell.step >= *end / kSamples * (1 - kRoundOff);
}

// Times at a target are those of its own rounds and of rounds that belong to no target.
Rounds RoundsAt(const Rounds& all, double target) {
  Rounds rounds;
  for (const auto& [key, seconds] : all) {
    if (key.first == target || key.first == 0) rounds[key] = seconds;
  }
  return rounds;
}

std::optional<double> SecondsAt(const Cell& cell, double target) {
  std::optional<double> least;
  for (const auto& [key, seconds] : RoundsAt(cell.rounds, target))
    least = std::min(least.value_or(INFINITY), seconds);
  return least;
}

// The time on the tolerances or the fixed steps of a curve, coarse to fine.
TimeAtError OnLadder(const ProblemResults& problem, const Curve& part, double target) {
  using enum TimeAtError::Kind;
  TimeAtError time{.target = target};
  const bool is_being_searched = std::ranges::any_of(problem.open, [&](const OpenItemRecord& open) {
    return open.lacks_cells && open.method == part.method && open.integrator == part.integrator &&
           open.target == target;
  });
  if (is_being_searched) {  // a coarser cell may be found
    time.kind = kNotRun;
    return time;
  }
  const std::vector<const Cell*> ran = RanOf(part);
  const auto holds = [&](const Cell& cell) {
    const auto error = cell.finished() ? Resolved(problem, cell) : std::nullopt;
    return error && ErrorAtTargets(cell.outcome, error->value) <= target * (1 + kRoundOff);
  };
  for (std::size_t i = 0; i < ran.size(); ++i) {
    if (!holds(*ran[i]) || (i + 1 < ran.size() && !holds(*ran[i + 1]))) continue;
    const auto seconds = SecondsAt(*ran[i], target);
    time.kind = seconds ? kReached : kNotTimed;
    time.seconds = seconds.value_or(0);
    time.cell = ran[i];
    time.is_at_coarse_end = IsAtCoarseEnd(problem, *ran[i]);
    const auto place = std::ranges::find(part.cells, ran[i]);
    if (place == part.cells.begin()) return time;
    const Cell& coarser = **std::prev(place);
    if (coarser.finished())
      time.coarser = &coarser;
    else
      time.is_at_coarse_end |= AreNeighbours(coarser, *ran[i]);
    return time;
  }
  bool has_error = false;
  for (const Cell* cell : ran) {
    if (!cell->finished() || !cell->error) continue;
    has_error = true;
    if (ErrorAtTargets(cell->outcome, *cell->error) == *cell->error)
      time.least_error = std::min(time.least_error.value_or(INFINITY), *cell->error);
  }
  if (problem.IsOpen(part.method, part.integrator, target))
    time.kind = kNotRun;
  else if (std::ranges::any_of(part.cells,
                               [](const Cell* cell) { return IsStoppedByLimit(*cell); }))
    time.kind = kTooLong;
  else if (has_error && !RanToTheFinest(problem, ran))
    time.kind = kNotFound;
  else if (!time.least_error)
    time.outcome = part.cells.front()->outcome;
  return time;
}

bool IsBetter(const TimeAtError& one, const TimeAtError& other) {
  if (one.known() && other.known()) return one.seconds < other.seconds;
  if (one.kind != other.kind) return one.kind < other.kind;
  const auto merit = [](const TimeAtError& time) {
    return std::pair(time.least_error.value_or(INFINITY), time.outcome.empty());
  };
  return merit(one) < merit(other);
}

// Whether the plan asks for no time of a curve: nothing of it was timed or is to be, and no search ended on it, which finds a cell
// that is timed, tries the finest setting, meets a limit or has its most trials. A claim or an order compares its errors.
bool IsOnlyJudged(const ProblemResults& problem, const Curve& part) {
  const Run* const run = problem.bench.run;
  if (!run || (run->finished.empty() && !run->coverage)) return false;  // the plan is not known
  const auto is_timed = [](const Cell* cell) { return !cell->rounds.empty(); };
  const auto is_to_be = [&part](const OpenItemRecord& open) {
    return open.is_timed && open.method == part.method && open.integrator == part.integrator;
  };
  if (std::ranges::any_of(part.cells, is_timed) || std::ranges::any_of(problem.open, is_to_be))
    return false;
  const std::vector<const Cell*> ran = RanOf(part);
  const auto has_error = [](const Cell* cell) { return cell->finished() && cell->error; };
  return ran.size() == part.cells.size() && std::ssize(ran) < kMostTrials &&
         std::ranges::any_of(ran, has_error) && !RanToTheFinest(problem, ran);
}

std::optional<RatioSpread> Scaled(std::optional<RatioSpread> spread, double divisor) {
  if (spread) spread->interval = {spread->interval.low / divisor, spread->interval.high / divisor};
  return spread;
}

bool HaveSameSetting(const Cell& one, const Cell& other) {
  return one.integrator == other.integrator && one.tolerance == other.tolerance &&
         one.step == other.step;
}

// The ratio of two cells at a target, by paired rounds; without a pair of their least times. `rounds`: that count for the latter.
std::optional<RatioSpread> SpreadOfCells(const Cell& cell, const Cell& base, double target,
                                         int rounds) {
  if (auto spread =
          SpreadOf(PairedRatios(RoundsAt(cell.rounds, target), RoundsAt(base.rounds, target))))
    return spread;
  const auto own = SecondsAt(cell, target), other = SecondsAt(base, target);
  if (!own || !other || *other <= 0) return std::nullopt;
  return RatioSpread{{*own / *other, *own / *other}, rounds};
}

// The value of the TimeRatio of two known times.
double ValueOfRatio(const TimeAtError& time, const TimeAtError& base) {
  const std::vector<double> ratios = PairedRatios(time.RoundsAtTarget(), base.RoundsAtTarget());
  return ratios.empty() ? time.seconds / base.seconds : Median(ratios);
}

PairVerdict VerdictOf(const TimeRatio& ratio, std::string* why) {
  const PairVerdict verdict = Judge(ratio.spread);
  const auto open = [why](const char* reason) {
    if (why) *why = reason;
    return PairVerdict::kOpen;
  };
  if (!ratio.spread) return open("no round of both");
  if (verdict == PairVerdict::kOpen)
    return open(ratio.spread->IsNoisy()   ? "the rounds scatter"
                : ratio.spread->IsRange() ? "too few rounds"
                                          : "too near");
  if (verdict == PairVerdict::kAlike) return verdict;
  const TimeRatio::GridEnd& end = verdict == PairVerdict::kFaster ? ratio.most : ratio.least;
  if (!end.is_needed) return verdict;
  if (!end.spread) return open("no coarser cell was run and timed");
  return Judge(end.spread) == verdict ? verdict : open("within a step of the grid");
}

// Families, and variants of families that have a time, that leave the first place open: they are not run or timed yet.
std::set<std::string> RivalsToCome(const std::vector<BestTime>& times) {
  std::set<std::string> known, open;
  for (const BestTime& one : times) {
    if (one.time.known()) known.insert(MethodKey(one.method));
  }
  for (const BestTime& one : times) {
    const std::string family = MethodKey(one.method);
    if (one.time.is_open()) open.insert(known.contains(family) ? one.method : family);
  }
  return open;
}

// Why a rival leaves the first place open: "a may be faster (too near)"; of one whose whole interval lies above 1 "a was slower
// (1.09 to 1.18, 4 rounds), not decided: too few rounds".
std::string RivalInWords(const Ranking& ranking, std::size_t rival) {
  const TimeRatio& ratio = *ranking.ratios[rival];
  const std::string& method = ranking.times[rival].method;
  if (ratio.spread && ratio.spread->interval.low > 1)
    return fmt::format("{} was slower ({}), not decided: {}", method, SpreadInWords(ratio.spread),
                       ratio.WhyOpen());
  return fmt::format("{} may be faster ({})", method, ratio.WhyOpen());
}

TimeVerdict VerdictOnFastest(const Ranking& ranking) {
  const std::size_t first = ranking.order[0];
  if (!ranking.times[first].time.has_rivals) return {kOnlyMethodRun};
  const std::string open = NameOf(PairVerdict::kOpen);
  bool is_alike = false;
  for (const std::size_t i : ranking.order) {
    if (i == first || !ranking.ratios[i]) continue;
    const PairVerdict verdict = ranking.ratios[i]->Verdict();
    if (verdict == PairVerdict::kFaster)
      return {open, "each is beaten by another in the paired rounds"};
    if (verdict == PairVerdict::kOpen) return {open, RivalInWords(ranking, i)};
    is_alike |= verdict == PairVerdict::kAlike;
  }
  const std::set<std::string> to_come = RivalsToCome(ranking.times);
  if (!to_come.empty())
    return {open, Listed({to_come.begin(), to_come.end()}, 2) + " not run or timed yet"};
  return {is_alike ? NameOf(PairVerdict::kAlike) : kFastest};
}

}  // namespace

Rounds TimeAtError::RoundsAtTarget() const {
  return cell ? RoundsAt(cell->rounds, target) : Rounds();
}

bool TimeAtError::HasLongSetUp() const {
  return known() && cell->prepare_minimum && *cell->prepare_minimum > kLongSetUp * seconds;
}

std::string TimeAtError::Status() const {
  constexpr const char* kNames[] = {"reached",   "not timed yet", "not run yet",     "too long",
                                    "not found", "not reached",   "cannot be judged"};
  return outcome.empty() ? kNames[static_cast<std::size_t>(kind)] : outcome;
}

std::string FormatTime(const TimeAtError& time) {
  return time.known() ? FormatSeconds(time.seconds) : time.Status();
}

std::string DescribeTime(const TimeAtError& time) {
  const bool has_error = !time.known() && !time.is_open() && time.least_error;
  return FormatTime(time) +
         (has_error ? fmt::format(" (least error {})", FormatError(time.least_error)) : "");
}

bool JudgesTarget(const ProblemResults& problem, double target) {
  return (problem.record.reference || IsJudged(problem)) &&
         target * (1 + kRoundOff) >= kJudgedFrom * problem.record.KnownError();
}

bool IsJudged(const ProblemResults& problem) {
  return std::ranges::any_of(problem.cells, [](const Cell& cell) {
    return (cell.error || cell.error_until_failure) && cell.integrator != kSteadySolver;
  });
}

bool AsksForTimes(const ProblemResults& problem, const Curve& curve) {
  return std::ranges::any_of(Ladders(curve),
                             [&](const Curve& part) { return !IsOnlyJudged(problem, part); });
}

bool AsksForTimes(const ProblemResults& problem, const std::string& method) {
  const auto is_own = [&method](const auto& one) {
    return one.method == method && one.integrator != kSteadySolver;
  };
  const auto is_taken = [](const Cell* cell) { return cell->outcome != "unsupported"; };
  return std::ranges::any_of(problem.open,
                             [&](const auto& one) { return is_own(one) && one.is_timed; }) ||
         std::ranges::any_of(Curves(problem), [&](const Curve& curve) {
           return is_own(curve) && std::ranges::any_of(curve.cells, is_taken) &&
                  AsksForTimes(problem, curve);
         });
}

std::string BestTime::Curve() const { return method + " with " + integrator; }

TimeAtError TimeOf(const ProblemResults& problem, const Curve& curve, double target) {
  TimeAtError best{.target = target};
  best.kind = TimeAtError::Kind::kNotJudgeable;
  if (JudgesTarget(problem, target)) {
    for (const Curve& part : Ladders(curve)) {
      if (IsOnlyJudged(problem, part)) continue;
      const TimeAtError time = OnLadder(problem, part, target);
      // Fixed steps of an integrator with tolerances show its order; few of them are run.
      const bool only_shows_order = part.second_ladder && time.kind == TimeAtError::Kind::kNotFound;
      if (!only_shows_order && IsBetter(time, best)) best = time;
    }
  }
  best.has_rivals = HasRivals(problem, Rivals::kMethods);
  return best;
}

bool MayFallFurther(const ProblemResults& problem, const Curve& part) {
  constexpr std::ptrdiff_t kFiner = 2;
  const std::vector<const Cell*> ran = RanOf(part);
  const auto error_of = [](const Cell* cell) {
    return cell->finished() ? cell->error.value_or(INFINITY) : INFINITY;
  };
  const auto least = std::ranges::min_element(ran, {}, error_of);
  return least != ran.end() && std::isfinite(error_of(*least)) && ran.end() - least <= kFiner &&
         !RanToTheFinest(problem, ran);
}

BestTime BestOfMethod(const ProblemResults& problem, const std::string& method, double target) {
  BestTime best{method};
  best.time.target = target;
  best.time.kind = !JudgesTarget(problem, target)       ? TimeAtError::Kind::kNotJudgeable
                   : problem.IsOpen(method, "", target) ? TimeAtError::Kind::kNotRun
                                                        : TimeAtError::Kind::kNotReached;
  for (const Curve& curve : Curves(problem)) {
    if (curve.method != method) continue;
    if (const TimeAtError time = TimeOf(problem, curve, target); IsBetter(time, best.time))
      best = {method, time.known() ? curve.integrator : "", time};
  }
  best.time.has_rivals = HasRivals(problem, Rivals::kMethods);
  return best;
}

std::vector<BestTime> BestOfEachMethod(const Comparison& comparison, const ProblemResults& problem,
                                       double target) {
  std::vector<BestTime> times;
  for (const std::string& method : comparison.methods) {
    if (comparison.Keeps(kTimes, method) && AsksForTimes(problem, method))
      times.push_back(BestOfMethod(problem, method, target));
  }
  return times;
}

std::vector<BestTime> BestOfEachFamily(const Comparison& comparison, const ProblemResults& problem,
                                       double target) {
  std::vector<BestTime> families;
  for (BestTime& one : BestOfEachMethod(comparison, problem, target)) {
    one.time.has_rivals = HasRivals(problem, Rivals::kFamilies);
    const auto known = std::ranges::find_if(families, [&one](const BestTime& other) {
      return MethodKey(other.method) == MethodKey(one.method);
    });
    if (known == families.end())
      families.push_back(one);
    else if (IsBetter(one.time, known->time))
      *known = one;
  }
  return families;
}

TimeAtError NotKnown(const std::vector<BestTime>& times) {
  TimeAtError none;
  for (const BestTime& one : times) {
    if (&one == &times.front() || IsBetter(one.time, none)) none = one.time;
  }
  return none;
}

std::string SpreadInWords(const std::optional<RatioSpread>& spread) {
  if (!spread) return "no paired round";
  if (spread->rounds == 1) return "1 round";
  return fmt::format("{} to {}, {} rounds{}", FormatRatio(spread->interval.low),
                     FormatRatio(spread->interval.high), spread->rounds,
                     spread->IsNoisy() ? ", noisy" : "");
}

TimeRatio TimeRatio::Over(double divisor) const {
  TimeRatio over = *this;
  over.value /= divisor;
  for (std::optional<RatioSpread>* one : {&over.spread, &over.least.spread, &over.most.spread})
    *one = Scaled(*one, divisor);
  return over;
}

PairVerdict TimeRatio::Verdict() const { return VerdictOf(*this, nullptr); }

std::string TimeRatio::WhyOpen() const {
  std::string why;
  VerdictOf(*this, &why);
  return why;
}

TimeRatio RatioWithSetUp(const Cell& cell, const Cell& base) {
  const auto whole = [](const Cell& one) {
    Rounds rounds = one.rounds;
    for (auto& [key, seconds] : rounds) seconds += one.prepare_minimum.value_or(0);
    return rounds;
  };
  const auto least = [](const Cell& one) {
    return one.cpu->minimum + one.prepare_minimum.value_or(0);
  };
  const std::vector<double> ratios = PairedRatios(whole(cell), whole(base));
  return {ratios.empty() ? least(cell) / least(base) : Median(ratios), SpreadOf(ratios)};
}

std::optional<TimeRatio> RatioOf(const TimeAtError& time, const TimeAtError& base) {
  if (!time.known() || !base.known()) return std::nullopt;
  TimeRatio ratio{ValueOfRatio(time, base),
                  SpreadOf(PairedRatios(time.RoundsAtTarget(), base.RoundsAtTarget()))};
  ratio.has_two_integrators = time.cell->integrator != base.cell->integrator;
  if (HaveSameSetting(*time.cell, *base.cell)) return ratio;
  const int rounds = ratio.spread ? ratio.spread->rounds : 1;
  ratio.least.is_needed = !time.is_at_coarse_end && ratio.value < kBeyondTheGrid;
  if (time.coarser)
    ratio.least.spread = SpreadOfCells(*time.coarser, *base.cell, base.target, rounds);
  ratio.most.is_needed = !base.is_at_coarse_end && ratio.value > 1 / kBeyondTheGrid;
  if (base.coarser)
    ratio.most.spread = SpreadOfCells(*time.cell, *base.coarser, time.target, rounds);
  return ratio;
}

std::optional<RatioSpread> RatioByTheClock(const TimeAtError& time, const TimeAtError& base) {
  if (!time.known() || !base.known() || time.cell->threads == 1) return std::nullopt;
  const Rounds own = RoundsAt(time.cell->wall, time.target);
  const Cell& other = *base.cell;
  return SpreadOf(
      PairedRatios(own, RoundsAt(other.threads > 1 ? other.wall : other.rounds, base.target)));
}

const BestTime* Ranking::Fastest() const {
  return times.empty() || !times[order[0]].time.known() ? nullptr : &times[order[0]];
}

const BestTime* Ranking::Base() const {
  const BestTime* fastest = Fastest();
  return fastest && fastest->time.has_rivals ? fastest : nullptr;
}

bool Ranking::Leads(std::size_t i) const {
  return times[i].time.known() && verdicts[i].name != NameOf(PairVerdict::kSlower);
}

Ranking Rank(std::vector<BestTime> times) {
  Ranking ranking{std::move(times)};
  const std::vector<BestTime>& all = ranking.times;
  ranking.order.resize(all.size());
  std::iota(ranking.order.begin(), ranking.order.end(), std::size_t{0});
  std::ranges::stable_sort(ranking.order, {},
                           [&all](std::size_t i) { return all[i].time.SecondsOrInfinity(); });
  ranking.ratios.resize(all.size());
  ranking.verdicts.resize(all.size());
  if (all.empty() || !all[ranking.order[0]].time.known()) return ranking;
  const auto is_beaten = [&all](std::size_t i) {
    return !all[i].time.known() || std::ranges::any_of(all, [&](const BestTime& other) {
      return other.time.known() && ValueOfRatio(other.time, all[i].time) < 1;
    });
  };
  const auto first = std::ranges::find_if_not(ranking.order, is_beaten);
  if (first != ranking.order.end())  // else each is beaten by another
    std::rotate(ranking.order.begin(), first, first + 1);
  const TimeAtError& fastest = all[ranking.order[0]].time;
  for (std::size_t i = 0; i < all.size(); ++i) ranking.ratios[i] = RatioOf(all[i].time, fastest);
  std::ranges::stable_sort(ranking.order.begin() + 1, ranking.order.end(), {}, [&](std::size_t i) {
    return ranking.ratios[i] ? ranking.ratios[i]->value : INFINITY;
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!ranking.ratios[i]) continue;
    if (i == ranking.order[0]) {
      ranking.verdicts[i] = VerdictOnFastest(ranking);
    } else {
      const PairVerdict verdict = ranking.ratios[i]->Verdict();
      const bool is_faster = verdict == PairVerdict::kFaster;
      ranking.verdicts[i] = {NameOf(is_faster ? PairVerdict::kOpen : verdict),
                             is_faster ? "each is beaten by another in the paired rounds"
                                       : ranking.ratios[i]->WhyOpen()};
    }
  }
  return ranking;
}

std::string MarkedRatio(const TimeRatio& ratio) {
  return FormatRatio(ratio.value) + (ratio.has_two_integrators ? kTwoIntegrators : "") +
         (ratio.Verdict() == PairVerdict::kOpen ? kOpenMark : "");
}

}  // namespace mbsbench::reports
