// Judges cells, each once in a process of its own, as many side by side as there are cores.
#pragma once

#include <map>

#include "harness/runner/run_context.h"

namespace mbsbench {

class AccuracyTrials {
 public:
  explicit AccuracyTrials(RunContext& context) : context_(context) {}

  // Looks the trial up, records it where it needs no process, or starts it when there is room. Nothing where it may
  // not start.
  void Carry(std::size_t trial, const ScheduledTrial& scheduled);
  // Until the cell is not under way.
  void WaitFor(std::size_t problem, std::size_t cell);
  // Until none is.
  void WaitForAll();

  // Until the next coarser cell, where there is one, is not under way.
  void WaitForCoarser(std::size_t problem, std::size_t cell);

 private:
  struct UnderWay {
    std::size_t problem, cell;
  };
  void Wait();
  void Store(std::size_t trial, std::size_t problem, std::size_t cell, const TrialRow& row,
             bool now);
  bool IsUnderWay(std::size_t problem, std::size_t cell) const;

  RunContext& context_;
  std::map<std::size_t, UnderWay> under_way_;  // by trial
};

}  // namespace mbsbench
