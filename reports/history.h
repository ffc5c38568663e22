// What benchmarks and cells cost and how far they err over the runs of any number of stores: what may be compared with what, and
// where it changed.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "reports/results.h"

namespace mbsbench::reports {

// Least CPU time relative to the frozen control kernel of the same rounds; instructions; largest error over the samples.
enum class Tracked { kTime, kInstructions, kError };
inline constexpr std::array kTracked{Tracked::kTime, Tracked::kInstructions, Tracked::kError};
inline constexpr std::size_t Index(Tracked quantity) { return static_cast<std::size_t>(quantity); }
const char* Name(Tracked quantity);  // "time", "instructions", "error"

// Where a series of ratios leaves the level it had, the median since the last change: beyond the threshold, and with the next
// one on that side too, unless it is the latest. Of these the changes remain whose levels on both sides, medians too, differ by
// more than the threshold. It is one percent of instruction counts, which are exact; a factor of two of errors; of times two percent,
// and three times the usual scatter from one to the next (of two times alone nothing can be said). Advisory. Indices of the
// first points of the new levels. How often it is wrong: docs/how_measurements_are_made.md.
std::vector<std::size_t> ChangePoints(const std::vector<double>& ratios, Tracked quantity);
inline constexpr const char* kChangeRule =
    "the median of a level left by more than 1 % (instructions), a factor of 2 (errors), or 2 % "
    "and 3 times the usual "
    "scatter (times), for two runs or in the latest";

// One call of `mbsbench bench` or one run.
struct HistoryRun : RunRow {
  std::string store;  // its path
};

struct HistoryPoint {
  std::size_t run = 0;                         // index in RunHistory::runs
  std::array<std::optional<double>, 3> value;  // by quantity: CPU seconds, instructions, error
  std::array<std::optional<double>, 3> ratio;  // to the first that is known
};

struct CaseHistory {
  std::string name, method;
  std::string kind;                                 // the name without the method
  std::vector<HistoryPoint> points;                 // by run
  std::array<std::vector<std::size_t>, 3> changes;  // by quantity: indices of points
  bool Has(Tracked quantity) const;
};

// Results of two processors, and of builds by other compilers or flags, are never compared.
struct HistoryGroup {
  std::string cpu, compiler, flags;
  std::vector<CaseHistory> cases;
};

struct RunHistory {
  std::vector<HistoryRun> runs;  // oldest first, each once
  std::vector<HistoryGroup> groups;
};

// Of `bench` alone, or of the cells and evaluations of runs, too.
enum class Content { kBenchmarks, kEverything };
RunHistory HistoryOf(const std::vector<const Results*>& stores, Content content);

}  // namespace mbsbench::reports
