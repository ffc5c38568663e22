// A run: every cell of a plan judged, timed and recorded, each trial in a process of its own.
//
// Per problem, in this order: the methods' accelerations are compared; each cell is integrated once
// and judged (two side by side); evaluations are timed; rounds of timed integrations follow, alone
// on a pinned core, in a random order anew each round.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/runner/plan.h"
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
  std::string command;  // as typed, for the record
  bool resume = false;  // go on with what the store holds; else it has to be new
  int rounds = 5;       // timed ones; 0: nothing is timed, evaluations neither
  ProcessLimits limits;
  std::uint64_t seed = 1;
  std::FILE* progress = nullptr;
};

struct RunSummary {
  std::map<std::string, int> cells;  // outcome -> cells
  int trials_run = 0, trials_found = 0;
  std::vector<std::string> disagreements;  // sentences: accelerations, end states
  std::string unfinished;  // the command that the store's run still waits for; empty: finished
};

// Throws ModelError, StoreError, or Interrupted; finished trials are in the store in each case.
RunSummary RunComparison(const RunOptions& options, const std::vector<MethodEntry>& methods);

}  // namespace mbsbench
