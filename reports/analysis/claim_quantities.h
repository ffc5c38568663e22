// The quantities by which claims of papers are tested, of the methods and problems that a row of data/claims.json names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/cells.h"
#include "reports/analysis/time_at_target.h"

namespace mbsbench::reports {

// One condition of a claim as data/claims.json states it; data/README.md explains the fields.
struct ClaimTest {
  std::string quantity = {}, what = {};
  std::vector<std::string> methods = {}, against = {}, problems = {};
  std::string topology = {};
  std::optional<double> least_bodies = {}, least_freedoms = {};
  std::vector<std::string> needs = {};
  std::string predicate = {};  // "at most", "below", "at least"; empty: shown, not judged
  double bound = 0;
  std::string otherwise = {}, shown = {};
  std::vector<double> errors = {};
  std::string printed = {}, event = {}, source_ends = {};

  MBSBENCH_FIELDS_IF_ANY(quantity, what, methods, against, problems, topology, least_bodies,
                         least_freedoms, needs, predicate, bound, otherwise, shown, errors, printed,
                         event, source_ends)
};

// One value of a quantity, or why there is none.
struct Observation {
  enum class State {
    kValue,
    kFulfilled,         // found, without a reference to compare with
    kFailed,            // tried, without a result
    kEvaluatesNothing,  // could evaluate no member of a family: no support of a claim
    kOpen,              // stopped by a limit of the run
  };
  std::string problem, method, against = {};
  std::string text = {};             // details of the value, or the reason why there is none
  std::optional<double> value = {};  // compared with the bound
  std::optional<double> shown =
      {};                    // instead of the value: rows of a matrix whose growth is judged
  std::string same_as = {};  // an earlier problem with the same steady state
  std::string family = {};   // see CountedFamilyOf: values of one family are one piece of evidence
  State state = State::kValue;
  // A ratio of times keeps or misses a bound by the verdict on ratio / bound. An evaluation is timed in one process, as the least of its repetitions, whose scatter is not stored: it counts as a single round.
  std::optional<TimeRatio> ratio = {};
  std::optional<double> standard_error = {};  // of a fitted value
  // The members below are set when the claim is judged.
  std::optional<bool> is_met = {};  // empty: undecided
  bool is_repeat = false;           // the same state was judged alike before: the two count once

  double Shown() const { return shown.value_or(value.value_or(0)); }
};

// The observations of one test of a claim. Throws std::logic_error if its quantity does not exist.
std::vector<Observation> Observe(const Comparison& comparison, const ClaimTest& test);

// Whether a method or a problem is one of these names, which may be globs.
bool Matches(const std::vector<std::string>& globs, const std::string& name);

}  // namespace mbsbench::reports
