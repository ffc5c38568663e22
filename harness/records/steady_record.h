// The record of a steady state, in addition to the accuracy of the state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/named_values.h"
#include "harness/records/number.h"

namespace mbsbench {

struct SteadyStateRecord {
  NamedValues<double> unknowns = {}, residuals = {};
  NamedValues<std::string> units = {};                           // of both
  std::vector<double> residual_history = {}, step_history = {};  // per Newton iteration

  MBSBENCH_FIELDS(unknowns, residuals, units, residual_history, step_history)
};

// A steady state found at the problem's own speed. `values` here and below: the coordinates without driver and the position
// observables, at the initial phase of the drivers.
struct FoundStateRecord {
  NamedValues<double> values = {};
  std::optional<bool> stable = {};  // nothing grows
  MaybeNumber growth = {};
  std::vector<double> frequencies = {};
  int reached_by = 0;  // number of guesses that converge to it
  bool from_the_problems_guess = false;
  // Nothing grows, and something does not decay by more than the round-off of the growth.
  std::optional<bool> neutral = {};
  MaybeNumber growth_round_off = {};

  MBSBENCH_FIELDS(values, stable, growth, frequencies, reached_by, from_the_problems_guess, neutral,
                  growth_round_off)
};

struct EquilibriaRecord {
  double speed = 0;
  int starts = 0;
  std::uint64_t seed = 0;
  NamedValues<int> failed = {};  // number of guesses without a steady state, by outcome
  std::vector<FoundStateRecord> found = {};

  MBSBENCH_FIELDS(speed, starts, seed, failed, found)
};

struct SteadySurveyRecord {
  EquilibriaRecord equilibria = {};

  MBSBENCH_FIELDS(equilibria)
};

}  // namespace mbsbench
