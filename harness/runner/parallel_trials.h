// Judges cells and splits the errors of judged cells into their parts, each in its own process, several in parallel.
#pragma once

#include <map>
#include <optional>

#include "harness/runner/run_context.h"

namespace mbsbench {

class ParallelTrials {
 public:
  explicit ParallelTrials(RunContext& context) : context_(context) {}

  // Each finds the trial in the store, or starts it as soon as a process is free. Does nothing if the trial may not start.
  // Judges a cell; a cell that needs no process is recorded.
  void CarryAccuracy(std::size_t trial, const ScheduledTrial& scheduled);
  // Splits the error of a judged cell. If the cell is not ok, or takes longer than a minute, the nearest suitable cell of its
  // curve is split instead, and none if there is none.
  void CarryBudget(std::size_t trial, const ScheduledTrial& scheduled);

  // Waits until the cell is not being judged.
  void WaitForCell(std::size_t problem, std::size_t cell);
  // The same for the next coarser cell, if there is one.
  void WaitForCoarser(std::size_t problem, std::size_t cell);
  // Waits until no cell is being judged.
  void WaitForCells();
  // Waits until no process is running.
  void WaitForAll();

 private:
  struct UnderWay {
    ScheduledTrial scheduled;
    TrialIdentity identity;
  };
  void Start(std::size_t trial, const UnderWay& started, const Cell& cell, ChildJob job);
  void Wait();
  void StoreJudged(std::size_t trial, const ScheduledTrial& scheduled, const TrialRow& row,
                   bool now);
  // The nearest cell of the curve whose error can be split; the cell itself is preferred.
  std::optional<std::size_t> NearestThatEndedWell(const ScheduledTrial& scheduled) const;

  RunContext& context_;
  std::map<std::size_t, UnderWay> under_way_;  // by trial
};

}  // namespace mbsbench
