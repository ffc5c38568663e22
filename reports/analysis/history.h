// Cost and error of benchmarks and cells over the runs of any number of stores: which runs may be compared, and where a series
// changed.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/results.h"

namespace mbsbench::reports {

// Least CPU time, relative to the frozen control kernel of the same rounds; instructions; largest error over the samples.
enum class Tracked { kTime, kInstructions, kError };
inline constexpr std::array kTracked{Tracked::kTime, Tracked::kInstructions, Tracked::kError};
inline constexpr std::size_t Index(Tracked quantity) { return static_cast<std::size_t>(quantity); }
inline constexpr std::array kTrackedNames{"time", "instructions", "error"};
inline const char* Name(Tracked quantity) { return kTrackedNames[Index(quantity)]; }

// Returns the indices of the first points of new levels. A level is the median since the last change. A point leaves it if the
// point and its successor (if any) differ from the level by more than the threshold, on the same side. A change is kept if the
// medians of the levels before and after it differ by more than the threshold. The threshold is 1 % for instruction counts, which
// are exact; a factor of 2 for errors; for times 2 % and 3 times the usual step from one point to the next (so two times alone
// show no change). Advisory.
std::vector<std::size_t> ChangePoints(const std::vector<double>& ratios, Tracked quantity);
inline constexpr const char* kChangeRule =
    "a difference from the median since the last change, in two runs or in the latest one, of more "
    "than 1 % (instructions), "
    "a factor of 2 (errors), or 2 % and 3 times the usual scatter (times)";

// One call of `mbsbench bench` or one run.
struct HistoryRun : RunRow {
  std::string store;  // its path
};

struct HistoryPoint {
  std::size_t run = 0;                         // index in RunHistory::runs
  std::array<std::optional<double>, 3> value;  // by quantity: CPU seconds, instructions, error
  std::array<std::optional<double>, 3> ratio;  // to the first known one
  std::string outcome = {}, reason = {};       // of a cell
};

struct CaseHistory {
  std::string name, method;
  std::string kind;                                      // the name without the method
  std::string motion_hash;                               // of the problem
  std::vector<HistoryPoint> points = {};                 // by run
  std::array<std::vector<std::size_t>, 3> changes = {};  // by quantity: indices of points
  // Latest count of instructions that an archive holds for builds of the same compiler and flags, over the first one here.
  std::vector<std::pair<std::string, double>> archived = {};  // by the name of the archive
  bool Has(Tracked quantity) const;
};

// Results from different processors, compilers or flags are never compared.
struct HistoryGroup {
  std::string cpu, compiler, flags;
  std::vector<CaseHistory> cases;
};

struct RunHistory {
  std::vector<HistoryRun> runs;  // oldest first, without duplicates
  std::vector<HistoryGroup> groups;
  std::vector<std::string> warnings = {};  // of the stores: records that could not be read
};

// A cell that was ok in the last run of one build, and is inaccurate, failed or refused in the latest run, by another build.
struct WrongCell {
  const CaseHistory* cell;
  const HistoryPoint *before, *after;
};
std::vector<WrongCell> BecameWrong(const RunHistory& history);
std::string WrongText(const WrongCell& wrong);  // "ok in run 2, inaccurate in run 3: REASON"

// Benchmarks of `bench` alone, or also the cells and evaluations of runs.
enum class Content { kBenchmarks, kEverything };
RunHistory HistoryOf(const std::vector<const Results*>& stores, Content content);

// Fills `archived`. Instructions alone: times depend on the machine.
void AddArchivedCounts(const std::string& archive, const Results& results, RunHistory& history);

}  // namespace mbsbench::reports
