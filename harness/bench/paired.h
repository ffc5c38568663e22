// Two contestants timed in pairs on one machine in one job, and the verdict.
//
// Base, candidate and a frozen control kernel run round by round, each in a fresh pinned process and
// in random order; the statistic is the least CPU time. Fresh rounds confirm what a screening
// flags.
#pragma once

#include <optional>

#include "harness/bench/contestant.h"
#include "harness/bench/statistics.h"
#include "harness/runner/progress.h"
#include "harness/store/comparison.h"

namespace mbsbench {

struct PairedRules {
  std::size_t screening_rounds = 12, confirming_rounds = 20;
  double milliseconds = 100;     // of each process
  double control_limit = 0.03;   // rounds in which the control kernel moved further are dropped
  double most_dropped = 0.5;     // of all rounds; dropped ones are repeated up to this share
  double significance = 0.01;    // of the one-sided test
  double least_change = 0.02;    // of the median ratio
  double noise_factor = 3;       // times the case's noise against itself
  double most_threshold = 0.05;  // of the median ratio; noise that asks for more leaves no verdict
};

// One round: least CPU times and least wall times [s].
struct PairedRound {
  double base = 0, candidate = 0, control = 0;
  double base_wall = 0, candidate_wall = 0;
};

enum class TimeVerdict { kAlike, kWorse, kBetter, kInconclusive };
std::string_view Name(TimeVerdict verdict);  // "alike", "worse", "better", "inconclusive"

// The verdict of a set of rounds.
struct RoundsJudged {
  TimeVerdict verdict = TimeVerdict::kInconclusive;
  std::string reason;                // of an inconclusive one
  double ratio = 0, wall_ratio = 0;  // medians of candidate / base
  Interval interval;                 // of `ratio`
  double p_worse = 1, p_better = 1;
  double threshold = 0;  // required difference of the median from one
  std::size_t kept = 0, dropped = 0;
};
// The rounds that are kept according to the control kernel.
std::vector<PairedRound> KeptRounds(const std::vector<PairedRound>& rounds,
                                    const PairedRules& rules);
RoundsJudged JudgeRounds(const std::vector<PairedRound>& rounds, std::size_t wanted,
                         const PairedRules& rules, std::uint64_t seed);

struct PairedResult {
  BenchCase bench_case;
  TrialResult base_truth, candidate_truth;
  std::vector<Change> truth, work;  // if these are not empty there is no verdict on time
  std::string failure;              // one of them cannot run the case, or a timed process failed
  std::vector<PairedRound> screening, confirming;  // raw
  RoundsJudged screened;
  std::optional<RoundsJudged> confirmed;  // only if the screening flagged it; p values are adjusted
  TimeVerdict verdict = TimeVerdict::kInconclusive;

  bool truth_changed() const { return !failure.empty() || !truth.empty() || !work.empty(); }
  // Truth and work can also give worse or better; changed if they give neither, or if only a
  // failure is known.
  Direction direction() const;
  bool is_inconclusive() const { return !truth_changed() && verdict == TimeVerdict::kInconclusive; }
  const RoundsJudged& judged() const { return confirmed ? *confirmed : screened; }
};

// Compares outcome, error, drift and exact counters of the case; measures no time.
PairedResult CompareTruth(const Contestant& base, const Contestant& candidate,
                          const BenchCase& bench_case, BenchProcesses& processes);

// The whole procedure.
std::vector<PairedResult> RunPaired(const Contestant& base, const Contestant& candidate,
                                    const std::vector<BenchCase>& cases, const PairedRules& rules,
                                    std::uint64_t seed, BenchProcesses& processes,
                                    Progress& progress);

}  // namespace mbsbench
