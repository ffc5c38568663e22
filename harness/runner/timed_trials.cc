#include "harness/runner/timed_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>
#include <utility>

#include "harness/records/untried_limits.h"
#include "harness/runner/process/timing_core.h"

namespace mbsbench {

namespace {

// Trials that are compared take turns on one core, so that whatever slows this core slows them all: neighbours on a shared
// machine change its speed by half, for a tenth of a second or for minutes. Each holds its memory meanwhile.
constexpr std::size_t kMostInTurns = 24, kMostBodiesInTurns = 1500;

}  // namespace

std::size_t TimedTrials::AtOnce(std::size_t problem) const {
  return context_.plan[problem].bodies <= kMostBodiesInTurns ? kMostInTurns : 1;
}

void TimedTrials::RunInTurns(std::size_t problem, std::vector<ChildJob> jobs,
                             const std::function<void(ChildEnd)>& keep) {
  if (CoreForTiming().is_shared && !std::exchange(said_shared_, true))
    context_.progress.Say(kCoreIsShared);
  const std::size_t at_once = AtOnce(problem);
  for (std::size_t first = 0, end = 0; first < jobs.size(); first = end) {
    const auto is_alone = [&jobs](std::size_t k) { return jobs[k].threads > 1; };
    end = first + 1;
    while (!is_alone(first) && end < jobs.size() && end - first < at_once && !is_alone(end)) ++end;
    for (std::size_t k = first; k < end; ++k) {
      jobs[k].takes_turns = end - first > 1;
      jobs[k].cores = ProcessorsForTiming(jobs[k].threads);
      context_.supervisor.Start(jobs[k]);
    }
    for (std::size_t k = first; k < end; ++k) keep(context_.supervisor.Wait());
  }
}

TrialIdentity TimedTrials::IdentityOf(const ScheduledStep& evaluation) const {
  return context_.trials.IdentityOf(CellOf(evaluation), context_.problem_hashes[evaluation.problem],
                                    TrialKind::kEvaluation, 0, std::string(Name(evaluation.what)));
}

void TimedTrials::TimeEvaluations(std::size_t step) {
  if (context_.forecast.IsDone(step)) return;
  const std::size_t problem = context_.schedule[step].problem;
  std::vector<ChildJob> jobs;
  double expected = 0;
  for (; step < context_.schedule.size() && jobs.size() < AtOnce(problem); ++step) {
    const ScheduledStep& one = context_.schedule[step];
    if (one.kind != StepKind::kEvaluation || one.problem != problem) break;
    if (const std::optional<TrialRow> found = context_.trials.Found(IdentityOf(one))) {
      context_.Done(step, found->record.process_seconds.value_or(0));
      continue;
    }
    expected += context_.forecast.Seconds(step);
    if (!context_.MayStart(expected)) break;
    jobs.push_back(JobFor(context_, step, problem, CellOf(one), TrialKind::kEvaluation));
    jobs.back().request.what = one.what;
  }
  if (jobs.empty()) return;
  context_.Show(context_.plan[problem].name + ", evaluations");
  RunInTurns(problem, std::move(jobs), [this](ChildEnd end) {
    const ScheduledStep& one = context_.schedule[end.id];
    end.result.record.what = Name(one.what);  // also after a failure
    context_.StoreTrial(end.id, IdentityOf(one), end);
    context_.Done(end.id, end.seconds);
  });
}

void TimedTrials::WarnOfOtherWork(const Cell& cell, const TrialRow& row) {
  if (row.outcome != Name(Outcome::kOk) || row.reason.empty()) return;
  const std::string name = cell.Describe();
  if (!other_work_.insert(name).second) return;
  context_.summary.disagreements.push_back(name + ": " + row.reason);
  context_.progress.Say("DIFFERENT WORK: " + name + ": " + row.reason);
}

TrialIdentity TimedTrials::IdentityOf(const ScheduledStep& scheduled, const Contestant& one,
                                      int round) const {
  return context_.trials.IdentityOf(
      CellOf(scheduled.problem, one), context_.problem_hashes[scheduled.problem], TrialKind::kTime,
      round, scheduled.target > 0 ? fmt::format("at {:g}", scheduled.target) : "");
}

TrialRow TimedTrials::Keep(std::size_t step, const Contestant& one, int round, ChildEnd end) {
  const ScheduledStep& scheduled = context_.schedule[step];
  TrialResult& result = end.result;
  if (result.record.time && scheduled.target > 0) result.record.time->target = scheduled.target;
  if (Finished(result.ending.outcome) &&
      JudgedOf(scheduled.problem, one).end_state_hash != result.record.EndStateHash()) {
    result.ending.reason =
        "its end state differs from that of the accuracy trial, so this is the time of other work";
  }
  return context_.StoreTrial(step, IdentityOf(scheduled, one, round), end);
}

std::optional<double> TimedTrials::TimeRound(std::size_t step, std::vector<Contestant> contestants,
                                             int round) {
  const ScheduledStep& scheduled = context_.schedule[step];
  const std::size_t problem = scheduled.problem;
  const double target = scheduled.target;  // 0: of a ladder
  // In a random order that differs between rounds.
  std::sort(contestants.begin(), contestants.end());
  std::seed_seq seed{context_.trials.seed(), static_cast<std::uint64_t>(round),
                     static_cast<std::uint64_t>(context_.plan[problem].bodies),
                     static_cast<std::uint64_t>(contestants.size())};
  std::mt19937_64 random(seed);
  std::shuffle(contestants.begin(), contestants.end(), random);
  const auto know = [&](const Contestant& one, const TrialRow& row) {
    WarnOfOtherWork(CellOf(problem, one), row);
    if (target > 0 && Finished(OutcomeNamed(row.outcome)) && row.cpu_seconds)
      context_.at_targets[problem][target].times[{one.curve, one.setting}][{target, round}] =
          *row.cpu_seconds;
    return row.record.process_seconds.value_or(0);
  };
  double seconds = 0, expected = 0;
  std::vector<Contestant> to_run;
  std::vector<ChildJob> jobs;
  for (const Contestant& one : contestants) {
    if (const auto row = context_.trials.Found(IdentityOf(scheduled, one, round))) {
      seconds += know(one, *row);
    } else {
      jobs.push_back(
          JobFor(context_, to_run.size(), problem, CellOf(problem, one), TrialKind::kTime));
      to_run.push_back(one);
      expected += JudgedOf(problem, one).process_seconds;
    }
  }
  if (to_run.empty()) return seconds;
  if (context_.IsOver() || !context_.MayStart(expected)) return std::nullopt;
  context_.Show(fmt::format("{}{}, round {}", context_.plan[problem].name,
                            target > 0 ? fmt::format(" at {:g}", target) : "", round + 1));
  RunInTurns(problem, std::move(jobs), [&](ChildEnd end) {
    const Contestant& one = to_run[end.id];
    seconds += know(one, Keep(step, one, round, std::move(end)));
  });
  return seconds;
}

void TimedTrials::TimeLadderRound(std::size_t step) {
  const ScheduledStep& scheduled = context_.schedule[step];
  const std::vector<PlannedCurve>& curves = context_.plan[scheduled.problem].curves;
  std::vector<Contestant> contestants;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const MethodChoice& method = *context_.plan[scheduled.problem].MethodOf(curves[c].cell.method);
    if (curves[c].only_shows_order || !Keeps(kTimes, LimitsOf(method))) continue;
    for (double setting : curves[c].ladder) {
      const JudgedCell* const judged = context_.curves[scheduled.problem][c].At(setting);
      if (judged != nullptr && judged->finished() &&
          scheduled.rounds < AffordableRounds(judged->recorded_cpu_seconds, context_.options.rounds,
                                              context_.options.limits.seconds))
        contestants.push_back({c, setting});
    }
  }
  if (const std::optional<double> seconds =
          TimeRound(step, std::move(contestants), scheduled.rounds))
    context_.Done(step, *seconds);
}

void TimedTrials::TimeRounds(std::size_t step) {
  const ScheduledStep& scheduled = context_.schedule[step];
  const std::size_t problem = scheduled.problem;
  AtTarget& at = context_.at_targets[problem][scheduled.target];
  // The searches may have ended in any order.
  std::ranges::sort(at.found, {}, &FoundCell::curve);
  const FoundCell* fastest = nullptr;
  double least = INFINITY;
  for (const FoundCell& cell : at.found) {
    std::vector<double> seconds;
    for (const auto& [round, one] : at.TimesOf(cell.curve, cell.setting)) seconds.push_back(one);
    const double median = Median(seconds);
    if (!(median < least)) continue;
    least = median;
    fastest = &cell;
  }
  // The next coarser cell of a cell decides nothing if the cell is much slower than the fastest one. Before their times are known,
  // those with recording tell; it takes a part of them, which brings them nearer to each other.
  const auto recorded = [&](const FoundCell& cell) {
    return JudgedOf(problem, {cell.curve, cell.setting}).recorded_cpu_seconds;
  };
  double least_recorded = INFINITY;
  for (const FoundCell& cell : at.found) least_recorded = std::min(least_recorded, recorded(cell));
  const auto needs_coarser = [&](const FoundCell& cell, const std::vector<double>& ratios) {
    return cell.coarser && (ratios.empty() ? recorded(cell) < 2 * kBeyondTheGrid * least_recorded
                                           : Median(ratios) < kBeyondTheGrid);
  };
  // How many rounds a cell lacks, and whether its next coarser one runs in them.
  std::vector<std::tuple<const FoundCell*, int, bool>> lacking;
  int most = 0;
  for (const FoundCell& cell : at.found) {
    const int wanted =
        AffordableRounds(recorded(cell), scheduled.rounds, context_.options.limits.seconds);
    int lacks = wanted;
    std::vector<double> ratios;
    if (fastest != nullptr) {
      const Rounds& base = at.TimesOf(fastest->curve, fastest->setting);
      const auto ratios_of = [&](double setting) {
        return PairedRatios(at.TimesOf(cell.curve, setting), base);
      };
      ratios = ratios_of(cell.setting);
      PairVerdict verdict = Judge(SpreadOf(ratios));
      // Slower also has to hold for the next coarser cell.
      if (verdict == PairVerdict::kSlower && needs_coarser(cell, ratios) &&
          Judge(SpreadOf(ratios_of(*cell.coarser))) == PairVerdict::kOpen)
        verdict = PairVerdict::kOpen;
      const int paired = static_cast<int>(ratios.size());
      const bool is_decided =
          verdict != PairVerdict::kOpen && paired >= context_.options.looks.front();
      lacks = &cell == fastest || is_decided ? 0 : wanted - paired;
    }
    if (lacks <= 0) continue;
    lacking.emplace_back(&cell, lacks, needs_coarser(cell, ratios));
    most = std::max(most, lacks);
  }
  double seconds = 0;
  const int first = at.next_round;
  for (int round = first; round < first + most; ++round) {
    std::vector<Contestant> contestants;
    if (fastest != nullptr) contestants.push_back({fastest->curve, fastest->setting});
    for (const auto& [cell, lacks, with_coarser] : lacking) {
      if (round - first >= lacks) continue;
      contestants.push_back({cell->curve, cell->setting});
      if (with_coarser) contestants.push_back({cell->curve, *cell->coarser});
    }
    const std::optional<double> taken = TimeRound(step, std::move(contestants), round);
    if (!taken) return;
    seconds += *taken;
    at.next_round = round + 1;
  }
  context_.Done(step, seconds);
}

}  // namespace mbsbench
