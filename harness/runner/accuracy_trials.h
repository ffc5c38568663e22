// Judges cells, each once in its own process, several in parallel.
#pragma once

#include <map>

#include "harness/runner/run_context.h"

namespace mbsbench {

class AccuracyTrials {
 public:
  explicit AccuracyTrials(RunContext& context) : context_(context) {}

  // Finds the trial in the store, records it if it needs no process, or starts it as soon as a process is free. Does nothing
  // if the trial may not start.
  void Carry(std::size_t trial, const ScheduledTrial& scheduled);
  // Waits until the cell is not running.
  void WaitFor(std::size_t problem, std::size_t cell);
  // Waits until no cell is running.
  void WaitForAll();

  // Waits until the next coarser cell, if there is one, is not running.
  void WaitForCoarser(std::size_t problem, std::size_t cell);

 private:
  void Wait();
  void Store(std::size_t trial, std::size_t problem, std::size_t cell, const TrialRow& row,
             bool now);
  bool IsUnderWay(std::size_t problem, std::size_t cell) const;

  RunContext& context_;
  std::map<std::size_t, ScheduledTrial> under_way_;  // by trial
};

}  // namespace mbsbench
