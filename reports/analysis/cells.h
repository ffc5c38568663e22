// Groups the trials of a store into cells: problem x method x integrator x (tolerance or step),
// with one outcome, one set of errors and the spread of its timed rounds.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/comparison/paired_rounds.h"
#include "reports/analysis/outcomes.h"
#include "reports/analysis/results.h"

namespace mbsbench::reports {

// CPU times of a cell's rounds [s]. Noise only adds time: the minimum is the measurement, and the error bar reaches
// from it to the upper quartile.
struct Spread {
  double minimum = 0, upper_quartile = 0;
  int rounds = 0;
};

struct Cell {
  std::string problem, method, integrator;
  std::optional<double> tolerance, step, end_time;  // [s]
  std::string archive = {};                         // that holds it; empty: the store itself
  std::string outcome, reason;
  std::string caution;  // why the time of a finished cell is doubtful
  // Errors and drifts of a motion that reached its end.
  std::optional<double> error, error_end, error_velocity, error_reactions,
      error_algorithmic_reactions;
  std::optional<double> position_drift, velocity_drift, acceleration_drift, energy_drift,
      energy_gained, linear_momentum_drift, angular_momentum_drift;
  // The largest ones until the failure, if the motion failed before its end.
  std::optional<double> error_until_failure, position_drift_until_failure,
      velocity_drift_until_failure, energy_drift_until_failure;
  std::optional<Spread> cpu;
  Rounds rounds = {};  // [s]
  int threads = 1;     // of its method, which is then judged by wall time, too
  Rounds wall = {};    // [s], of the rounds of a method with several threads
  // Integrations in each round, of which its time is the least.
  std::map<RoundKey, int> repetitions = {};
  std::optional<double> wall_minimum, prepare_minimum,
      memory_bytes;  // [s], [s], [B] of the process
  CountersRecord counters;
  std::optional<BudgetRecord> budget;  // the parts of its error, where a run has split it
  std::string command;
  std::string key;                  // of its accuracy trial; 'mbsbench explain' takes its beginning
  const Trial* accuracy = nullptr;  // the trial that judges it; null where it has timed rounds only

  bool finished() const { return IsFinished(outcome); }
  std::optional<double> CpuMinimum() const {
    return cpu ? std::optional(cpu->minimum) : std::nullopt;
  }
  std::optional<double> ErrorOverTolerance() const {
    return error && tolerance && *tolerance > 0 ? std::optional(*error / *tolerance) : std::nullopt;
  }
  int TimedRounds() const { return cpu ? cpu->rounds : 0; }
  std::string Curve() const;    // "method:option, rk4"
  std::string Setting() const;  // "tol 1e-6", "h 0.001 s"
};

// All results of one problem come from one machine and one build: times of two are never compared.
struct Bench {
  const Run* run = nullptr;  // the newest of this machine and build
  std::string name;          // "Intel Xeon ..., abc1234"
};

struct ProblemResults {
  std::string name;
  std::string stem;  // unique among problems, for files and anchors
  ProblemRecord record = {};
  Bench bench;
  std::vector<Cell> cells;                // by method, integrator, coarse to fine
  std::vector<const Trial*> evaluations;  // kind 'evaluation'
  std::optional<Trial> agreement;         // merged from all checks of its accelerations
  std::vector<OpenItemRecord> open = {};  // what an unfinished run has yet to complete
  // Whether cells of these are still to be run that may hold the target and will be timed. An empty integrator means all.
  bool IsOpen(const std::string& method, const std::string& integrator, double target) const;
};

// Results of another run that figures show beside those of the store, without the times, which depend on a machine.
struct ArchivedRun {
  std::string name;
  const Results* results;
  std::vector<ProblemResults> problems;
};

struct Comparison {
  const Results* results = nullptr;
  std::vector<ProblemResults> problems;  // in the order of the store
  std::vector<std::string> methods;      // specs, in the order of the store
  std::vector<std::string> integrators;
  std::vector<double>
      targets;                // of the plan, from coarse to fine; the usual ones where it has none
  double MainTarget() const;  // the target nearest to 1e-6
  std::vector<const Run*> runs;  // those whose trials are shown
  std::vector<ArchivedRun> archived;
  int superseded = 0;  // trials that are not shown, since their machine or build is older
  std::size_t CellCount() const;
  const ProblemResults* Find(const std::string& problem) const;  // nullptr without one
  // "No motion was run: this store holds single evaluations of 2 methods on 10 problems." Empty without evaluations.
  std::string EvaluationsInWords() const;
  const MethodRecord& MethodRecordOf(const std::string& spec) const;
  // kTimes or kEquations (untried_limits.h): whether the method declares no limit on these.
  bool Keeps(const char* what, const std::string& method) const;
  // Unique among `methods`, for files and anchors.
  const std::string& MethodStem(const std::string& spec) const { return method_stems.at(spec); }

  std::map<std::string, std::string> method_stems;
};

// `results` must outlive the comparison.
Comparison Compare(const Results& results);
// Everything of each cell that a figure would show, except its times.
ArchivedRun WithoutTimes(const std::string& name, const Comparison& comparison);

// The record of a cell's accuracy trial; empty without one.
const TrialRecord& RecordOf(const Cell& cell);

bool WasRun(const ProblemResults& problem);  // by cells or by evaluations: it has a page

// Routes of the pages that problems and methods have; empty of a problem without one.
std::string ProblemRoute(const ProblemResults& problem);
std::string MethodRoute(const Comparison& comparison, const std::string& spec);

// "method:option" -> "method": the family of its variants
std::string MethodKey(const std::string& spec);

// The family of a problem; where the store has none, the name before the colon.
std::string FamilyOf(const ProblemResults& problem);
// The number of loops in parallel: the option `width` of the problem's name, 1 where the name has none.
double LoopWidthOf(const ProblemResults& problem);

// Whether motions of several methods, or of several families of methods, were run or are still to be run. Else there is
// nothing to compare a time with.
enum class Rivals { kMethods, kFamilies };
bool HasRivals(const ProblemResults& problem, Rivals rivals);

// The record of a method in the agreement trial of a problem; empty if there is none.
const MethodAgreementRecord& AgreementOf(const ProblemResults& problem, const std::string& method);

// From this error of one evaluation on all digits are lost.
inline constexpr double kAllLost = 0.1;
// Whether an evaluation of a method on a problem has a right digit, as far as it was compared with 113 bits.
bool HasDigits(const ProblemResults& problem, const std::string& method);

// Why a single evaluation was refused: "unsupported: joint 'top' closes a loop, and ..."; empty where it was not.
std::string RefusedEvaluation(const ProblemResults& problem, const std::string& method);

// An error of positions or velocities of a cell. An error of a motion below that of the reference is not known; the reference's
// error is its bound.
struct ResolvedError {
  double value = 0;
  bool is_at_limit = false;
  std::string Text() const;   // "2.3e-9"; "≤ 2.9e-11" at the limit
  std::string Words() const;  // the same, with the reason: "≤ 2.9e-11, at the reference's limit"
};
std::optional<ResolvedError> Resolved(const ProblemResults& problem, const Cell& cell,
                                      std::optional<double> Cell::*error = &Cell::error);
// "≤ 2.9e-11, at the reference's limit", "7.8e-8 until the failure"; "-" where none is known.
std::string ErrorInWords(const ProblemResults& problem, const Cell& cell);

// The command of the latest run shown, for figures of many runs.
std::string LatestCommand(const Comparison& comparison);

// The cheapest finished cell within 10 % of the least error: at the floor of round-off the order of two errors is chance.
// nullptr without one.
const Cell* MostAccurate(const ProblemResults& problem,
                         const std::function<bool(const Cell&)>& is_asked);

// The coarsest cell of a method that ended ok and holds an error; without one, its most accurate that ended ok. nullptr: none did.
const Cell* CellThatHolds(const ProblemResults& problem, const std::string& method, double error);

// The solver of steady states. They are no motions: their cells have a section of their own and no curve.
inline constexpr const char* kSteadySolver = "kinsol";

// The cell's own value for a printed one: same quantity, event or time, and source. Null without one.
const PublishedComparison* FindOwnValue(const Cell& cell, const PrintedValueRecord& printed);

// Cells of one method and integrator: tolerances first, then fixed steps, each from coarse to fine.
struct Curve {
  std::string method, integrator, name;
  std::vector<const Cell*> cells;
  bool second_ladder = false;  // fixed steps of an integrator that also runs to tolerances
};
std::vector<Curve> Curves(const ProblemResults& problem);

// Tolerances and fixed steps as separate curves, as they are drawn.
std::vector<Curve> Ladders(const Curve& curve);
std::vector<Curve> Ladders(const ProblemResults& problem);

}  // namespace mbsbench::reports
