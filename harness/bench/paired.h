// Two contestants timed in pairs on one machine in one job, and the verdict.
//
// Base, candidate and a frozen control kernel run round by round, each in a fresh pinned process and
// in random order; the statistic is the least CPU time. Fresh rounds confirm what a screening
// flags.
#pragma once

#include <optional>

#include "harness/bench/contestant.h"
#include "harness/comparison/comparison.h"
#include "harness/records/bench_record.h"
#include "harness/runner/progress.h"

namespace mbsbench {

inline constexpr std::size_t kScreeningRounds = 12, kConfirmingRounds = 20;
// Rounds whose control kernel moved further are dropped; they are repeated up to this share of all rounds.
inline constexpr double kMovedControl = 0.03, kMostDropped = 0.5;
// A verdict needs this significance of the one-sided test, and a median ratio beyond the larger of a least change and a multiple
// of the case's noise against itself. Noise that asks for more than the last of these leaves no verdict.
inline constexpr double kSignificance = 0.01, kLeastChange = 0.02, kTimesNoise = 3;
inline constexpr double kMostThreshold = 0.05;

// One round: least CPU times and least wall times [s].
struct PairedRound {
  double base = 0, candidate = 0, control = 0;
  double base_wall = 0, candidate_wall = 0;
};

JudgedRounds JudgeRounds(const std::vector<PairedRound>& rounds, std::size_t wanted);

struct PairedResult {
  BenchCase bench_case;
  TrialResult base_truth, candidate_truth;
  ComparedCell compared;  // if its truth or work is not empty there is no verdict on time
  std::string failure;    // one of them cannot run the case, or a timed process failed
  std::vector<PairedRound> screening, confirming;  // raw
  JudgedRounds screened;
  std::optional<JudgedRounds> confirmed;  // only if the screening flagged it; p values are adjusted

  bool truth_changed() const {
    return !failure.empty() || !compared.truth.empty() || !compared.work.empty();
  }
  // Truth and work can also give worse or better; changed if they give neither, or if only a
  // failure is known.
  Direction direction() const;
  bool is_inconclusive() const { return !truth_changed() && judged().verdict == kInconclusive; }
  const JudgedRounds& judged() const { return confirmed ? *confirmed : screened; }
};

// The whole procedure, with timed processes of so many milliseconds.
std::vector<PairedResult> RunPaired(const Contestant& base, const Contestant& candidate,
                                    const std::vector<BenchCase>& cases, double milliseconds,
                                    std::uint64_t seed, BenchProcesses& processes,
                                    Progress& progress);

}  // namespace mbsbench
