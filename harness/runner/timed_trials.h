// Times evaluations and cells, each trial alone on a pinned core.
#pragma once

#include <set>
#include <string>

#include "harness/runner/run_context.h"

namespace mbsbench {

class TimedTrials {
 public:
  explicit TimedTrials(RunContext& context) : context_(context) {}

  // No other child may be under way. Nothing where the trial may not start.
  void CarryEvaluation(std::size_t trial, const ScheduledTrial& scheduled);
  // Those rounds of one process of a cell that are missing; the cell has been judged.
  void CarryRounds(std::size_t trial, const ScheduledTrial& scheduled);

 private:
  ChildEnd RunAlone(ChildJob job);
  void WarnOfOtherWork(const Cell& cell, const TrialRow& row);

  RunContext& context_;
  std::set<std::string> other_work_;  // cells of which it was said that a round did other work
};

}  // namespace mbsbench
