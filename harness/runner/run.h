// A run: every cell of a plan judged, timed and recorded, each trial in a process of its own, in the order
// of schedule.h. Agreement checks and accuracy trials run side by side, timed ones alone on a pinned core.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/runner/forecast.h"
#include "harness/runner/plan.h"
#include "harness/runner/shard.h"
#include "harness/runner/supervisor.h"

namespace mbsbench {

struct RunOptions {
  Selection selection;
  std::filesystem::path store;
  std::filesystem::path executable;  // acts as child when called with kChildCommand
  std::vector<std::filesystem::path>
      plugins;  // that the child has to load; they count as parts of the executable
  // Plug-ins by the keys of their methods, which a child loads where its method asks for one: a
  // part of the executable in the eyes of these methods alone.
  std::map<std::string, std::filesystem::path> engines;
  std::string command;              // as typed, for the record
  bool resume = false;              // go on with what the store holds; else it has to be new
  std::set<std::string> retry;      // names of outcomes: what ended so is run again
  std::optional<Shard> shard = {};  // of the plan; empty: all of it
  int rounds = 5;                   // timed ones; 0: nothing is timed, evaluations neither
  // What this call may take [s]; no trial starts that is expected to take longer than is left of it.
  double budget = std::numeric_limits<double>::infinity();
  ProcessLimits limits;
  std::uint64_t seed = 1;
  std::FILE* progress = nullptr;
};

struct RunSummary {
  std::map<std::string, int> cells;  // outcome -> cells
  int trials_run = 0, trials_found = 0;
  std::vector<std::string> disagreements;  // sentences: accelerations, end states
  std::vector<std::string> stalled;        // sentences: curves whose error stops falling
  std::vector<std::string> left_out;       // sentences: problems named that the run has no cells of
  std::string unfinished;  // another command that the store's run still waits for; empty: none
  // Done: with a cell judged or an evaluation timed.
  CoverageRecord coverage;
  bool is_complete() const;  // no trial is left
};

// Throws ModelError, StoreError, or Interrupted; finished trials are in the store in each case.
RunSummary RunComparison(const RunOptions& options, const std::vector<MethodEntry>& methods);

}  // namespace mbsbench
