// Splits the errors of judged cells into their parts, each in a process of its own, as many side by side as there are cores.
#pragma once

#include <map>
#include <optional>

#include "harness/runner/run_context.h"

namespace mbsbench {

class BudgetTrials {
 public:
  explicit BudgetTrials(RunContext& context) : context_(context) {}

  // Looks the trial up or starts it when there is room; the cell has been judged. Where that one is not ok, or takes longer than a
  // minute, the nearest one of its curve is split instead. Nothing where there is none, and where the trial may not start.
  void Carry(std::size_t trial, const ScheduledTrial& scheduled);
  void WaitForAll();

 private:
  void Wait();
  // Of the curve of a cell the nearest one whose error can be split, itself first.
  std::optional<std::size_t> NearestThatEndedWell(const ScheduledTrial& scheduled) const;

  RunContext& context_;
  std::map<std::size_t, TrialIdentity> under_way_;  // by trial
};

}  // namespace mbsbench
