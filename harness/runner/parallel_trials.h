// Judges cells and splits the errors of judged cells into their parts, each in its own process, several in parallel. A search
// judges one cell after the other; two searches on one curve follow each other, so that what they ask for does not depend on
// the times of their processes.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/runner/run_context.h"

namespace mbsbench {

class ParallelTrials {
 public:
  explicit ParallelTrials(RunContext& context) : context_(context) {}

  // Each finds its trials in the store, or starts them as soon as a process is free. A step that may not start stays undone.
  // Judges a cell; a cell that needs no process is recorded.
  void StartCell(std::size_t step);
  // A search begins where an earlier one for the same target by the same integrator ended. It is put off if its next trial is
  // expected to take more than `longest` seconds.
  void StartSearch(std::size_t step, double longest);
  // Splits the error of the cell nearest to the usual one of a curve that ended well and does not take longer than a minute.
  void StartBudget(std::size_t step);

  // Waits until no process is running.
  void WaitForAll();
  // The searches that were put off since the last call.
  std::vector<std::size_t> TakePutOff() { return std::exchange(put_off_, {}); }

 private:
  struct Search {
    SettingGrid grid = {};
    double longest = 0;
    int trials = 0;
    double seconds = 0;  // of its processes
  };
  struct UnderWay {
    std::size_t step = 0;
    double setting = 0;
    TrialIdentity identity;
  };
  // The judged cell, at once if it is known or needs no process. Otherwise its process is started, unless it may not.
  const JudgedCell* Judge(std::size_t step, double setting);
  // Carries on until the search is over or waits for a process.
  void Advance(std::size_t step);
  void EndSearch(std::size_t step, const SearchStep& end);
  std::optional<double> FirstTooLong(const ScheduledStep& scheduled, const SearchStep& next) const;
  const JudgedCell* Keep(const ScheduledStep& scheduled, double setting, const TrialRow& row);
  // Whether the process was started.
  bool Start(const UnderWay& started, const Cell& cell, ChildJob job, double expected);
  void Wait();
  // Waits until nothing of the curve is under way.
  void WaitForCurve(std::size_t problem, std::size_t curve);

  RunContext& context_;
  std::size_t next_id_ = 0;
  std::map<std::size_t, UnderWay> under_way_;  // by id of the process
  std::map<std::size_t, Search> searches_;     // that wait for a process, by step
  std::map<std::size_t, std::size_t> found_;   // setting in the grid, by step of a search
  // The step of the first search with tolerances, by problem, target and integrator.
  std::map<std::tuple<std::size_t, double, std::string>, std::size_t> pilots_;
  std::vector<std::size_t> put_off_;  // searches
};

}  // namespace mbsbench
