// Compares two runs: outcome, accuracy and drift of every cell first, then its exact work counters.
// Times are listed without a verdict, because they were not measured in pairs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/store/store.h"

namespace mbsbench {

// An error or drift is worse if it exceeds this multiple of its previous value. Both are first raised to the floor at which
// round-off dominates: the larger of kErrorFloor and kErrorFloorPerBody times the number of bodies (coordinates grow with the
// system); for errors also the error that the problem's sensitivity allows in double precision, and the estimated error of the
// reference.
inline constexpr double kWorseFactor = 2;
inline constexpr double kErrorFloor = 1e-13, kErrorFloorPerBody = 1e-15;
double DriftFloor(const ProblemRecord& problem);
double ErrorFloor(const ProblemRecord& problem);

enum class Direction { kAlike, kChanged, kBetter, kWorse };  // in the order of severity
std::string_view Name(Direction direction);  // "alike", "better", "worse", "changed"

// Relative difference above which an instruction count is worse or better.
inline constexpr double kInstructionLimit = 0.01;
Direction DirectionOfCounts(double before, double after);

struct Change {
  std::string what;  // "outcome", "error", "energy drift", "evaluations"
  Json a, b;         // texts or numbers; null: unknown
  Direction direction = Direction::kChanged;
  std::string note;
};

std::string OrUnknown(const std::string& text);  // "unknown" if it is empty

Json Document(const std::vector<Change>& changes);  // `truth` and `work` in DOCUMENTS.md

struct CellName : CellSetting {
  std::string kind =
      {};  // "cell"; "evaluation" and "agreement" as in the store; "kernel": a benchmark
  std::string what = {};  // what an evaluation or a kernel evaluates

  MBSBENCH_FIELDS(problem, method, integrator, tolerance, step, end_time, kind, what)
  std::string Family() const;  // "branch4 by riccati-mstmm:general, rk4"
  std::string Text() const;    // with the setting
  // All of its fields count.
  bool operator<(const CellName& other) const {
    return std::tuple_cat(CellFields(), std::tie(kind, what)) <
           std::tuple_cat(other.CellFields(), std::tie(other.kind, other.what));
  }
};

// The results of a cell in a run, without series and trajectory.
struct HeldCell {
  std::string outcome, reason = {};
  TrialRecord record = {};
  std::optional<double> seconds = {};
  bool doubtful = false;  // a timed round did not repeat the work of the judged one
  bool judged = false;    // there is an accuracy trial
  // The count of a kernel, with the compiler, flags and libraries of its build.
  MaybeNumber instructions = {};
  Json built = nullptr;
};

struct RunContent {
  std::map<CellName, HeldCell> cells;
  std::map<std::string, ProblemRecord> problems;
};
// Throws StoreError when the run holds no finished trial.
RunContent ReadContent(const Store& store, const RunRow& run);

struct ComparedCell {
  CellName name;
  std::vector<Change> truth;  // outcome, errors, drifts
  std::vector<Change> work;   // counters
  bool same_bits = false;     // of the end state
  // Least CPU time of the rounds, or of one evaluation [s]; empty if it is not known or if the
  // results differ, because the times are then not comparable.
  std::optional<double> seconds_a, seconds_b;

  // The most severe direction of all changes.
  Direction direction() const;
};

struct ComparedRuns {
  RunRow a, b;
  std::vector<std::string>
      notes;  // limits of the comparison: other machine, other problem, other plug-ins
  std::vector<std::string> warnings;  // of plug-ins built without optimisation
  std::vector<ComparedCell> cells;
  std::vector<CellName> only_a, only_b;
  // Cells that are not compared, because their problem is another mechanism of the same name.
  std::vector<CellName> of_other_mechanisms;

  int Count(Direction direction) const;
};

ComparedCell CompareCell(const CellName& name, const HeldCell& a, const HeldCell& b,
                         const ProblemRecord& problem_a, const ProblemRecord& problem_b,
                         double factor = kWorseFactor);

// Without the runs and the notes about them.
ComparedRuns CompareContents(const RunContent& a, const RunContent& b,
                             double factor = kWorseFactor);

struct ChosenRun {
  std::filesystem::path store;
  RunRow run;
};

// The shards of a plan are compared as one run. Damaged records are left out, with a warning. Throws StoreError when one of the
// runs holds no finished trial.
ComparedRuns CompareRuns(const ChosenRun& a, const ChosenRun& b);

}  // namespace mbsbench
