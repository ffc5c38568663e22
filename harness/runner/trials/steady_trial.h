// Trials of methods for steady states, and the steady states that many guesses reach.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/integrate/stability.h"
#include "harness/integrate/steady_state.h"
#include "harness/runner/trials/accuracy_trial.h"
#include "methods/steady/algebraic_formulation.h"

namespace mbsbench {

// The seed of runs and tests.
inline constexpr std::uint64_t kSteadySeed = 20021;

// One steady state that a search found.
struct FoundState {
  std::vector<double> z, residual;
  std::vector<BodyState> bodies;
  int reached_by = 0;         // number of guesses that converge to it
  bool from_problem = false;  // the problem's own guess leads to it
  Stability stability;
};

struct SteadySearch {
  double speed = 0;
  int starts = 0;                     // number of guesses, including the problem's own
  std::map<std::string, int> failed;  // number of guesses without a steady state, by outcome
  std::vector<FoundState> found;      // by the first coordinate that separates them
};

// Newton from the problem's own guess and from `starts` - 1 random ones: angles within a turn on either
// side, displacements within L of the problem's guess, multipliers zero. The same seed gives the same
// guesses. Other states may exist.
SteadySearch SearchSteadyStates(const PreparedCell& prepared, AlgebraicFormulation& formulation,
                                double speed, int starts, std::uint64_t seed);

// Solves for the steady state by Newton's iteration from the initial state and judges it by the certified equilibrium. `visit`
// receives the steady state with the time NaN.
TrialResult SteadyAccuracyTrial(const PreparedCell& prepared, const SampleVisitor& visit,
                                Detail detail = Detail::kMotion);

}  // namespace mbsbench
