#include "harness/bench/paired.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "harness/bench/statistics.h"
#include "harness/comparison/paired_rounds.h"
#include "harness/runner/documents.h"

namespace mbsbench {

namespace {

// Round-off alone changes an error by less than this factor; a loss of three digits is a factor of a thousand.
constexpr double kErrorFactor = 3;
// Relative difference of the outputs of one evaluation that a different order of operations may cause.
constexpr double kSameOutput = 1e-9;

template <typename Get>
std::vector<double> Of(const std::vector<PairedRound>& rounds, Get&& get) {
  std::vector<double> values;
  for (const PairedRound& round : rounds) values.push_back(get(round));
  return values;
}

HeldCell Held(const TrialResult& truth) {
  return {.outcome = std::string(Name(truth.ending.outcome)),
          .reason = truth.ending.reason,
          .record = truth.record,
          .judged = true};
}

std::optional<Change> CompareOutputs(const TrialResult& a, const TrialResult& b) {
  if (!a.answer.contains("output_norm") || !b.answer.contains("output_norm")) return std::nullopt;
  const double before = a.answer.at("output_norm").get<double>(),
               after = b.answer.at("output_norm").get<double>();
  if (std::abs(after - before) <= kSameOutput * std::abs(before)) return std::nullopt;
  return Change{"output", before, after, Direction::kChanged, "they evaluate different quantities"};
}

// The rounds in which the control kernel did not move.
std::vector<PairedRound> KeptRounds(const std::vector<PairedRound>& rounds) {
  const double usual = Median(Of(rounds, [](const PairedRound& r) { return r.control; }));
  std::vector<PairedRound> kept;
  for (const PairedRound& round : rounds) {
    if (std::abs(round.control / usual - 1) <= kMovedControl) kept.push_back(round);
  }
  return kept;
}

// Rounds of the case of `result` until enough are kept, within kMostDropped. Its failure is set if a process does not end ok.
std::vector<PairedRound> RunRounds(const Contestant& base, const Contestant& candidate,
                                   std::size_t wanted, double milliseconds, std::mt19937_64& random,
                                   BenchProcesses& processes, PairedResult& result) {
  const auto most = static_cast<std::size_t>(static_cast<double>(wanted) / (1 - kMostDropped));
  const Contestant control{"/proc/self/exe"};
  std::vector<PairedRound> rounds;
  while (rounds.size() < most && KeptRounds(rounds).size() < wanted) {
    PairedRound round;
    std::array<int, 3> order{0, 1, 2};
    std::shuffle(order.begin(), order.end(), random);
    for (int which : order) {
      const Contestant& asked = which == 0 ? base : which == 1 ? candidate : control;
      const TrialResult timed = processes.Ask(asked, {.job = which == 2 ? "control" : "time",
                                                      .bench_case = result.bench_case,
                                                      .milliseconds = milliseconds});
      if (timed.ending.outcome != Outcome::kOk || !timed.cpu_seconds || !timed.wall_seconds) {
        result.failure =
            fmt::format("a timed process of {} failed: {}, {}", asked.executable.string(),
                        Name(timed.ending.outcome), timed.ending.reason);
        return rounds;
      }
      (which == 0 ? round.base : which == 1 ? round.candidate : round.control) = *timed.cpu_seconds;
      if (which < 2) (which == 0 ? round.base_wall : round.candidate_wall) = *timed.wall_seconds;
    }
    rounds.push_back(round);
  }
  return rounds;
}

// Compares outcome, error, drift and exact counters of the case; measures no time.
PairedResult CompareTruth(const Contestant& base, const Contestant& candidate,
                          const BenchCase& bench_case, BenchProcesses& processes) {
  PairedResult result;
  result.bench_case = bench_case;
  const BenchRequest request{.job = "truth", .bench_case = bench_case};
  result.base_truth = processes.Ask(base, request);
  result.candidate_truth = processes.Ask(candidate, request);
  const HeldCell a = Held(result.base_truth), b = Held(result.candidate_truth);
  const Problem problem = ProblemOf(bench_case);
  // The uncertainties of a reference concern motions, not a single evaluation.
  const ProblemRecord record =
      bench_case.what == "solve"
          ? RecordOf(problem)
          : ProblemRecord{.bodies = static_cast<int>(problem.system.bodies.size())};
  if (base.method == candidate.method) {
    result.compared = CompareCell({}, a, b, record, record, kErrorFactor);
    if (auto output = CompareOutputs(result.base_truth, result.candidate_truth))
      result.compared.truth.push_back(std::move(*output));
  }
  for (const TrialResult* truth : {&result.base_truth, &result.candidate_truth}) {
    const Ending& ending = truth->ending;
    if (result.failure.empty() && !Finished(ending.outcome))
      result.failure = fmt::format("{}: {}", Name(ending.outcome), ending.reason);
  }
  return result;
}

// How the screening ended, for the progress.
std::string EndOf(const PairedResult& result) {
  if (!result.failure.empty()) return "not timed";
  if (result.truth_changed()) return "results differ";
  return fmt::format("{}, ratio {:.4f}", result.screened.verdict, result.screened.ratio);
}

}  // namespace

JudgedRounds JudgeRounds(const std::vector<PairedRound>& rounds, std::size_t wanted) {
  const std::vector<PairedRound> kept = KeptRounds(rounds);
  JudgedRounds judged{.verdict = kInconclusive};
  judged.kept = std::ssize(kept);
  judged.dropped = std::ssize(rounds) - std::ssize(kept);
  if (kept.empty()) {
    judged.reason = "the control kernel moved in every round";
    return judged;
  }
  std::vector<double> slower, faster;
  for (const PairedRound& round : kept) {
    slower.push_back(std::log(round.candidate / round.base));
    faster.push_back(-slower.back());
  }
  judged.ratio = std::exp(Median(slower));
  const Interval interval = IntervalOfMedian(slower);
  judged.low = std::exp(interval.low);
  judged.high = std::exp(interval.high);
  judged.wall_ratio =
      Median(Of(kept, [](const PairedRound& r) { return r.candidate_wall / r.base_wall; }));
  judged.p_worse = WilcoxonGreater(slower);
  judged.p_better = WilcoxonGreater(faster);
  judged.threshold = std::max(
      kLeastChange,
      kTimesNoise * NoiseOfMedianRatio(Of(kept, [](const PairedRound& r) { return r.base; })));
  if (kept.size() < wanted) {
    judged.reason = fmt::format(
        "the control kernel moved by more than {:g} % in {} of {} rounds: the machine was busy",
        100 * kMovedControl, *judged.dropped, rounds.size());
    return judged;
  }
  const double most = 1 + judged.threshold;
  const bool is_worse = judged.p_worse < kSignificance && judged.ratio > most;
  if (is_worse || (judged.p_better < kSignificance && judged.ratio < 1 / most)) {
    // Wall times are noisier, but agree with CPU times in direction if nothing else was running.
    if (is_worse == (judged.wall_ratio > 1))
      judged.verdict = Name(is_worse ? Direction::kWorse : Direction::kBetter);
    else
      judged.reason = "CPU times and wall times contradict each other";
  } else if (judged.threshold <= kMostThreshold && judged.low >= 1 / most && judged.high <= most) {
    judged.verdict = Name(Direction::kAlike);
  } else {
    judged.reason = fmt::format("the rounds scatter too much: 95 % interval {:.3f} to {:.3f}",
                                judged.low, judged.high);
  }
  return judged;
}

Direction PairedResult::direction() const {
  if (truth_changed()) {
    // The truth gives the direction if only one of them fails. It is unknown if both fail, or only a timed process.
    const Direction direction = compared.direction();
    return direction == Direction::kAlike ? Direction::kChanged : direction;
  }
  for (const Direction direction : {Direction::kWorse, Direction::kBetter}) {
    if (judged().verdict == Name(direction)) return direction;
  }
  return Direction::kAlike;
}

std::vector<PairedResult> RunPaired(const Contestant& base, const Contestant& candidate,
                                    const std::vector<BenchCase>& cases, double milliseconds,
                                    std::uint64_t seed, BenchProcesses& processes,
                                    Progress& progress) {
  std::mt19937_64 random(seed);
  std::vector<PairedResult> results;
  std::vector<std::size_t> flagged;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string name = fmt::format("[{}/{}] {}", i + 1, cases.size(), cases[i].Name());
    progress.Show([&name] { return name; });
    PairedResult& result = results.emplace_back(CompareTruth(base, candidate, cases[i], processes));
    if (!result.truth_changed()) {
      result.screening =
          RunRounds(base, candidate, kScreeningRounds, milliseconds, random, processes, result);
    }
    if (!result.truth_changed()) {
      result.screened = JudgeRounds(result.screening, kScreeningRounds);
      if (result.direction() != Direction::kAlike) flagged.push_back(i);
    }
    progress.ShowEnd(name + ": " + EndOf(result));
  }
  std::vector<std::size_t> confirmed;
  std::vector<double> p_worse, p_better;
  for (std::size_t i : flagged) {
    PairedResult& result = results[i];
    progress.Show([&] {
      return fmt::format("{} looks {} ({:.3f}); fresh rounds", cases[i].Name(),
                         result.screened.verdict, result.screened.ratio);
    });
    result.confirming =
        RunRounds(base, candidate, kConfirmingRounds, milliseconds, random, processes, result);
    if (!result.failure.empty()) continue;  // not judged, and not one of the tests that Holm counts
    confirmed.push_back(i);
    result.confirmed = JudgeRounds(result.confirming, kConfirmingRounds);
    p_worse.push_back(result.confirmed->p_worse);
    p_better.push_back(result.confirmed->p_better);
  }
  p_worse = HolmAdjusted(p_worse);
  p_better = HolmAdjusted(p_better);
  for (std::size_t k = 0; k < confirmed.size(); ++k) {
    PairedResult& result = results[confirmed[k]];
    JudgedRounds& judged = *result.confirmed;
    judged.p_worse = p_worse[k];
    judged.p_better = p_better[k];
    const Direction change = result.direction();
    const double p = change == Direction::kWorse ? p_worse[k] : p_better[k];
    if (change != Direction::kAlike &&
        (p >= kSignificance || judged.verdict != result.screened.verdict)) {
      judged.verdict = kInconclusive;
      judged.reason = "the fresh rounds did not confirm what the first ones showed";
    }
  }
  return results;
}

}  // namespace mbsbench
