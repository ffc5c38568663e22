// Two runs side by side, truth first: outcome, accuracy and drift of every cell, then its exact work
// counters; times stand beside each other without a verdict, because they were not taken in pairs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/store/store.h"

namespace mbsbench {

// Share by which a count of instructions has to differ to be worse or better.
inline constexpr double kInstructionLimit = 0.01;

// An error or drift got worse when it is above `factor` times what it was, both raised to the floor
// below which round-off rules: `floor`, `floor_per_body` for each body (coordinates grow with the
// system), what the problem's sensitivity allows in double precision, and the estimated error of the
// reference.
struct ComparisonRules {
  double factor = 2;
  double floor = 1e-13, floor_per_body = 1e-15;
  double instructions = kInstructionLimit;  // of kernels
};

enum class Direction { kAlike, kBetter, kWorse, kChanged };
std::string_view Name(Direction direction);  // "alike", "better", "worse", "changed"

struct Change {
  std::string what;  // "outcome", "error", "energy drift", "evaluations"
  Json a, b;         // texts or numbers; null: not known
  Direction direction = Direction::kChanged;
  std::string note;
};

// "not known", a text, a whole number, or a number to three digits.
std::string ValueText(const Json& value);

Json Document(const std::vector<Change>& changes);  // `truth` and `work` in DOCUMENTS.md

struct CellName {
  std::string problem, method, integrator;
  std::optional<double> tolerance, step, end_time;
  std::string kind;  // "cell"; "evaluation" and "agreement" as in the store; "kernel": a benchmark
  std::string what;  // what an evaluation or a kernel evaluates

  std::string Family() const;   // "branch4 by riccati-mstmm:general, rk4"
  std::string Setting() const;  // "tol 1e-06", "h 0.001 s", nothing for evaluations
  std::string Text() const;     // both
  auto operator<=>(const CellName&) const = default;
};

// What a run holds of a cell, without series and trajectory.
struct HeldCell {
  std::string outcome, reason;
  Json record;  // TrialDocument
  std::optional<double> seconds = {};
  bool doubtful = false;  // a timed round did other work than the judged one
  bool judged = false;    // there is an accuracy trial
};

struct RunContent {
  std::map<CellName, HeldCell> cells;
  std::map<std::string, Json> problems;  // ProblemDocument
};
// Throws StoreError when the run holds no finished trial.
RunContent ReadContent(const Store& store, const RunRow& run);

struct ComparedCell {
  CellName name;
  std::vector<Change> truth;  // outcome, errors, drifts
  std::vector<Change> work;   // counters
  bool same_bits = false;     // of the end state
  // Least CPU time of the rounds, of one evaluation for those [s]; empty where it is not known and
  // where the truth changed, which makes it the time of something else.
  std::optional<double> seconds_a, seconds_b;

  // Worse where anything is, else better where anything is, else changed where anything did.
  Direction direction() const;
};

struct Comparison {
  RunRow a, b;
  std::vector<std::string> notes;  // what both have to be read with: other machine, other problem
  std::vector<ComparedCell> cells;
  std::vector<CellName> only_a, only_b;

  int Count(Direction direction) const;
};

ComparedCell CompareCell(const CellName& name, const HeldCell& a, const HeldCell& b,
                         const Json& problem_a, const Json& problem_b,
                         const ComparisonRules& rules = {});

// Without the runs and what is to be noted of them.
Comparison CompareContents(const RunContent& a, const RunContent& b,
                           const ComparisonRules& rules = {});

// Throws StoreError when one of the runs holds no finished trial.
Comparison CompareRuns(const Store& store_a, const RunRow& a, const Store& store_b, const RunRow& b,
                       const ComparisonRules& rules = {});

}  // namespace mbsbench
