// The quantities by which claims of papers are tested: what the store says of the methods and problems that a row of
// data/claims.json names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/cells.h"
#include "reports/equal_error.h"

namespace mbsbench::reports {

// One value of a quantity, or why there is none.
struct Observation {
  enum class State {
    kValue,
    kFulfilled,         // found, and nothing is held to compare it with
    kFailed,            // was tried and gave no result
    kEvaluatesNothing,  // a variant that could evaluate no member of a family: no support of a claim
    kOpen,              // stopped by a limit of the run
  };
  std::string problem, method, against = {};
  std::string text = {};             // of the value, in words, or the reason why there is none
  std::optional<double> value = {};  // what the bound is for
  TimeRatio::Kind kind = TimeRatio::Kind::kExact;
  std::optional<double> shown =
      {};                    // stands for the value: rows of a matrix whose growth is judged
  std::string same_as = {};  // the problem on which the same steady state was found before
  State state = State::kValue;
  // A ratio of times keeps a bound, or misses it, where the rule of ratios says so of ratio over bound.
  bool is_ratio_of_times = false;
  std::optional<RatioSpread> spread = {};     // of its paired rounds
  std::optional<double> standard_error = {};  // of a fitted value
  // Set by the judge.
  std::optional<bool> is_met = {};  // empty where it is open
  bool is_repeat = false;           // of one of the same state that ended alike: the two count once

  double Shown() const { return shown.value_or(value.value_or(0)); }
};

// Of one test of a claim. Throws std::logic_error for a quantity that does not exist.
std::vector<Observation> Observe(const Comparison& comparison, const Json& test);

// Whether a row names a method or a problem in one of its fields; the names may be globs.
bool Matches(const Json& row, const char* field, const std::string& name);

// What the agreement trial of a problem says of a method; null where it says nothing.
const MethodAgreementRecord& AgreementOf(const ProblemResults& problem, const std::string& method);

}  // namespace mbsbench::reports
