// Groups the trials of a store into cells: problem x method x integrator x (tolerance or step),
// with one outcome, one set of errors and the spread of its timed rounds.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/envelope.h"
#include "reports/outcomes.h"
#include "reports/results.h"

namespace mbsbench {
struct ComparedRuns;  // of two runs, harness/store/comparison.h
}

namespace mbsbench::reports {

// Of the CPU times of a cell's rounds [s]. Noise only ever adds time: the minimum is the
// measurement, the way from it to the upper quartile the error bar.
struct Spread {
  double minimum = 0, upper_quartile = 0;
  int rounds = 0;
  double maximum = 0;
  // Rounds that scatter by more than 10 %.
  bool IsNoisy() const { return maximum > 1.1 * minimum; }
};

struct Cell {
  std::string problem, method, integrator;
  std::optional<double> tolerance, step, end_time;  // [s]
  std::string outcome, reason;
  std::string caution;  // what makes the time of a cell doubtful that finished
  // Of a motion that reached its end; of one that failed before only the largest error up to there is kept.
  std::optional<double> error, error_end, error_rms, error_velocity, error_reactions;
  std::optional<double> error_until_failure;
  std::optional<double> position_drift, velocity_drift, energy_drift, momentum_drift;
  std::optional<Spread> cpu;
  Rounds rounds = {};                   // [s]
  std::map<int, int> repetitions = {};  // integrations in each round, of which that is the least
  double wander = 1;  // largest over least time of the control kernel during its rounds
  std::optional<double> wall_minimum, prepare_minimum,
      memory_bytes;  // [s], [s], of the process [B]
  CountersRecord counters;
  std::vector<PublishedComparison> published;  // the cell's own values for printed numbers
  std::vector<LibraryResult> library_measures;
  std::optional<BudgetRecord> budget;  // what its error consists of, where a run has split it
  std::string command;
  std::string key;  // of its accuracy trial: 'mbsbench explain' takes the beginning of it
  const Trial* accuracy = nullptr;  // which judges it; without one there are timed rounds only

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

// All results of one problem come from one machine and one build, since times of two can never be
// compared.
struct Bench {
  const Run* run = nullptr;  // the newest of this machine and build
  std::string name;          // "Intel Xeon ..., abc1234"
};

struct ProblemResults {
  std::string name;
  std::string stem;  // its own among problems, for files and anchors
  ProblemRecord record = {};
  Bench bench;
  std::vector<Cell> cells;                // by method, integrator, coarse to fine
  std::vector<const Trial*> evaluations;  // kind 'evaluation'
  std::optional<Trial> agreement;         // of all methods that were ever asked
  // Method and integrator of the curves that a run which has not finished has yet to complete, and whether they lack cells, not
  // times alone.
  std::map<std::pair<std::string, std::string>, bool> open_curves = {};
  // Whether cells of these are still to be run; an empty integrator stands for all.
  bool IsOpen(const std::string& method, const std::string& integrator) const;
  // What stands for the time of these at an error that they have not reached.
  TimeAtError::Kind WhyNoTime(const std::string& method, const std::string& integrator,
                              double error) const;
};

struct Comparison {
  const Results* results = nullptr;
  std::vector<ProblemResults> problems;  // in the order of the store
  std::vector<std::string> methods;      // specs, in the order of the store
  std::vector<std::string> integrators;
  std::vector<const Run*> runs;           // those that gave a shown trial
  const ComparedRuns* against = nullptr;  // of another run with the latest one here, if asked for
  int superseded = 0;  // trials of an older machine or build of a problem: not shown
  std::size_t CellCount() const;
  // "No motion was run: this store holds single evaluations of 2 methods on 10 problems." Empty without one.
  std::string EvaluationsInWords() const;
  const MethodRecord& MethodRecordOf(const std::string& spec) const;
  // Of one of `methods`: its own among them, for files and anchors.
  const std::string& MethodStem(const std::string& spec) const { return method_stems.at(spec); }

  std::map<std::string, std::string> method_stems;
};

// `results` must outlive the comparison.
Comparison Compare(const Results& results);

// How many cells ended so: of every known outcome, and of others that the store holds.
struct OutcomeCount {
  std::string name;
  long long cells = 0;
};
std::vector<OutcomeCount> OutcomeCounts(const Comparison& comparison);

// A problem with one assumption changed, for which nothing is held that it could be judged by: it is compared with
// the unchanged problem, in a row of the observables.
bool IsVariation(const ProblemResults& problem);

bool WasRun(const ProblemResults& problem);   // by cells or by evaluations
bool HasPage(const ProblemResults& problem);  // was run, and is no variation

// Routes of the pages that problems and methods have; empty of a problem without one.
std::string ProblemRoute(const ProblemResults& problem);
std::string MethodRoute(const Comparison& comparison, const std::string& spec);

// "method:option" -> "method": the family of its variants
std::string MethodKey(const std::string& spec);

// What a problem is a member of: its family, else what its name begins with.
std::string FamilyOf(const ProblemResults& problem);
// How many loops lie side by side: the option `width` in the name of a member of a family, 1 where the name has none.
double LoopWidthOf(const ProblemResults& problem);

// Whether motions of several methods, or of several families of methods, were run there or are still to be. Else the time
// of the only one is compared with none.
enum class Rivals { kMethods, kFamilies };
bool HasRivals(const ProblemResults& problem, Rivals rivals);

// An error of a cell. Of a motion, one below that of the reference is not known; the reference's is its bound.
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

// Of the latest run that gave a shown trial, for what is made of many runs.
std::string LatestCommand(const Comparison& comparison);

// Of the finished cells the cheapest within 10 % of the least error: which of two settings at the floor of
// round-off is called the more accurate is chance. nullptr without one.
const Cell* MostAccurate(const ProblemResults& problem,
                         const std::function<bool(const Cell&)>& is_asked);

// Of each family of methods the most accurate cell of those asked for; where none is judged, the finest.
std::vector<const Cell*> BestOfFamilies(const ProblemResults& problem,
                                        const std::function<bool(const Cell&)>& is_asked);

// Points of a cell list on which an envelope rests: finished, with error and time.
std::vector<ErrorTimePoint> ErrorTimePoints(const std::vector<const Cell*>& cells);

// A steady state is no motion and no rival of one: its cells have a section of their own, and no curve.
inline constexpr const char* kSteadySolver = "kinsol";

// Cells of one method and integrator: first its tolerances, then its fixed steps, each coarse to
// fine.
struct Curve {
  std::string method, integrator, name;
  std::vector<const Cell*> cells;
  bool second_ladder = false;  // fixed steps of an integrator that also runs to tolerances
};
std::vector<Curve> Curves(const ProblemResults& problem);

// The same with tolerances and fixed steps apart, as they are drawn.
std::vector<Curve> Ladders(const ProblemResults& problem);

}  // namespace mbsbench::reports
