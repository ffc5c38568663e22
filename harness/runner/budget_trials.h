// Splits the errors of judged cells into their parts, each in its own process, several in parallel.
#pragma once

#include <map>
#include <optional>

#include "harness/runner/run_context.h"

namespace mbsbench {

class BudgetTrials {
 public:
  explicit BudgetTrials(RunContext& context) : context_(context) {}

  // Finds the trial in the store, or starts it as soon as a process is free; the cell has been judged. If the cell is not ok, or
  // takes longer than a minute, the nearest suitable cell of its curve is split instead. Does nothing if there is no such cell or
  // if the trial may not start.
  void Carry(std::size_t trial, const ScheduledTrial& scheduled);
  void WaitForAll();

 private:
  void Wait();
  // The nearest cell of the curve whose error can be split; the cell itself is preferred.
  std::optional<std::size_t> NearestThatEndedWell(const ScheduledTrial& scheduled) const;

  RunContext& context_;
  std::map<std::size_t, TrialIdentity> under_way_;  // by trial
};

}  // namespace mbsbench
