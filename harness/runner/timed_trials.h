// Times evaluations and cells on a pinned core, the evaluations of a problem and the cells of a round in turns. No other child
// may be running. A step that may not start stays undone.
#pragma once

#include <compare>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/runner/run_context.h"

namespace mbsbench {

class TimedTrials {
 public:
  explicit TimedTrials(RunContext& context) : context_(context) {}

  // This evaluation and those of the problem that follow it in the schedule.
  void TimeEvaluations(std::size_t step);
  // One round of the judged cells of the ladders of a problem.
  void TimeLadderRound(std::size_t step);
  // Rounds of the cells found for a target, each with its next coarser cell. Every cell is timed against the fastest one, until
  // the rule of paired_rounds.h decides the pair or it has the rounds of the step.
  void TimeRounds(std::size_t step);

 private:
  // A cell in a round.
  struct Contestant {
    std::size_t curve = 0;
    double setting = 0;
    auto operator<=>(const Contestant&) const = default;
  };
  // The seconds of the processes of a round of a step; empty if it may not be completed.
  std::optional<double> TimeRound(std::size_t step, std::vector<Contestant> contestants, int round);
  TrialIdentity IdentityOf(const ScheduledStep& scheduled, const Contestant& one, int round) const;
  // Stores the result of one cell in a round.
  TrialRow Keep(std::size_t step, const Contestant& one, int round, ChildEnd end);
  TrialIdentity IdentityOf(const ScheduledStep& evaluation) const;
  Cell CellOf(const ScheduledStep& evaluation) const {
    const PlannedProblem& problem = context_.plan[evaluation.problem];
    Cell cell = problem.Unsolved();
    cell.method = problem.evaluated[evaluation.method].spec;
    return cell;
  }
  // How many timed trials of a problem take turns.
  std::size_t AtOnce(std::size_t problem) const;
  // Runs the trials on the core for timing, those of one thread in groups that take turns; keep(end) for each.
  void RunInTurns(std::size_t problem, std::vector<ChildJob> jobs,
                  const std::function<void(ChildEnd)>& keep);
  void WarnOfOtherWork(const Cell& cell, const TrialRow& row);
  Cell CellOf(std::size_t problem, const Contestant& one) const {
    return context_.plan[problem].curves[one.curve].At(one.setting);
  }
  const JudgedCell& JudgedOf(std::size_t problem, const Contestant& contestant) const {
    return *context_.curves[problem][contestant.curve].At(contestant.setting);
  }

  RunContext& context_;
  std::set<std::string> other_work_;  // cells with a warning that a round did different work
  bool said_shared_ = false;          // the warning that the core is shared
};

}  // namespace mbsbench
