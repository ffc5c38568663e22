// Times evaluations and cells, each trial alone on a pinned core.
#pragma once

#include <set>
#include <string>

#include "harness/runner/run_context.h"

namespace mbsbench {

class TimedTrials {
 public:
  explicit TimedTrials(RunContext& context) : context_(context) {}

  // No other child may be running. Does nothing if the trial may not start.
  void CarryEvaluation(std::size_t trial, const ScheduledTrial& scheduled);
  // Times the missing rounds of one process of a cell, which has been judged.
  void CarryRounds(std::size_t trial, const ScheduledTrial& scheduled);

 private:
  ChildEnd RunAlone(ChildJob job);
  void WarnOfOtherWork(const Cell& cell, const TrialRow& row);

  RunContext& context_;
  std::set<std::string> other_work_;  // cells with a warning that a round did different work
  bool said_shared_ = false;          // the warning that the core is shared
};

}  // namespace mbsbench
