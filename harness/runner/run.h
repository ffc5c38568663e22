// A run searches, judges, times and records what a plan asks for, each trial in its own process, in the order of schedule.h.
// Agreement checks and accuracy trials run in parallel, timed trials alone on a pinned core.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/runner/cells/wall_clock.h"
#include "harness/runner/plan/plan.h"
#include "harness/runner/plan/schedule.h"
#include "harness/runner/plan/shard.h"
#include "harness/runner/process/supervisor.h"

namespace mbsbench {

struct RunOptions {
  Selection selection;
  std::filesystem::path store;
  std::filesystem::path executable;  // acts as child when called with kChildCommand
  std::vector<std::filesystem::path>
      plugins;  // that the child loads; they count as parts of the executable
  // Plug-ins by the keys of their methods. A child loads them if its method needs one; they count as parts of the executable for
  // these methods only.
  std::map<std::string, std::filesystem::path> engines;
  std::string command;  // as typed, for the store
  bool resume = false;  // continue with the contents of the store; otherwise the store must be new
  std::set<std::string> retry;      // outcomes whose trials are run again
  std::optional<Shard> shard = {};  // part of the plan; empty: the whole plan
  int rounds = 3;  // of each cell of a ladder; 0: nothing is timed, including evaluations
  std::vector<int> looks = kLooks;  // at the paired rounds of the cells found for a target
  // Time limit of this call, its planning included [s]; a trial that is expected to exceed the rest does not start.
  double budget = std::numeric_limits<double>::infinity();
  double called = WallSeconds();  // when the call began
  ProcessLimits limits;
  std::uint64_t seed = 1;
  std::FILE* progress = nullptr;
};

struct RunSummary {
  std::map<std::string, int> cells;  // outcome -> cells
  int trials_run = 0, trials_found = 0;
  std::vector<std::string> disagreements;  // sentences: accelerations, end states
  std::vector<std::string> stalled;        // sentences: curves whose error stops falling
  std::vector<std::string> left_out;  // sentences: named problems without cells in the run, targets
  std::vector<std::string> damaged;   // sentences: records that could not be read
  std::string unfinished;  // another command that must still finish the store's run; empty: none
  // Done: with a cell judged or an evaluation timed.
  CoverageRecord coverage;
  bool is_complete() const;  // all steps are done
};

// `plan`: of the selection of the options. Throws ModelError, StoreError, or Interrupted; finished trials are in the store in
// each case.
RunSummary RunComparison(const RunOptions& options, std::vector<PlannedProblem> plan);

}  // namespace mbsbench
