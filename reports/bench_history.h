// Benchmarks over the runs of a store: what may be compared with what, and where it changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/results.h"

namespace mbsbench::reports {

// Where a series of ratios leaves the level it had: beyond the threshold, and with the next one on
// that side too, unless it is the latest. The threshold of exact counts is one percent; that of times
// two percent, and three times the usual scatter from one to the next (of two times alone nothing
// can be said). Advisory. Indices of the first points of the new levels.
std::vector<std::size_t> ChangePoints(const std::vector<double>& ratios, bool are_exact);

struct HistoryPoint {
  const BenchRun* run = nullptr;
  int number = 0;  // of the run, from 1
  // Of the first point of the series; times are taken relative to the frozen control kernel of the
  // same rounds before.
  std::optional<double> time_ratio, instruction_ratio;
  std::optional<double> cpu_seconds, instructions;
};

struct CaseHistory {
  std::string name, method;
  std::vector<HistoryPoint> points;
  std::vector<std::size_t> time_changes, instruction_changes;  // indices of points
};

// Times of two machines, and kernels built with other compilers or flags, are never compared.
struct HistoryGroup {
  std::string cpu, compiler, flags;
  std::vector<CaseHistory> cases;
};
std::vector<HistoryGroup> Histories(const Results& results);

// Pairs of an executable with itself: whatever was flagged there was a false alarm.
struct FalseAlarms {
  int verdicts = 0, alarms = 0;
  int screened_alarms = 0;  // that fresh rounds did not confirm
  int inconclusive = 0;     // not among the verdicts
};
FalseAlarms CountFalseAlarms(const Results& results);

}  // namespace mbsbench::reports
