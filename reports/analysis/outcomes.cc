#include "reports/analysis/outcomes.h"

#include <fmt/format.h>

#include "harness/records/accuracy_bounds.h"

namespace mbsbench::reports {

namespace {

// "position error (at most 0.001 of L, or 1 rad), ..."
std::string Bounds() {
  std::string text;
  for (const AccuracyBound& bound : kAccuracyBounds)
    text += fmt::format("{}{} (at most {:g} of {})", text.empty() ? "" : ", ", bound.quantity,
                        bound.largest, bound.of);
  return text;
}

}  // namespace

const std::vector<Outcome>& AllOutcomes() {
  static const std::vector<Outcome> outcomes = {
      {"ok", "o", "good", "finished; " + Bounds() + " are within their bounds"},
      {"inaccurate", "I", "doubtful", "finished; one of these is beyond its bound: " + Bounds()},
      {"wrong_equations", "W", "failed",
       "its accelerations differ from those in 113 bits by more than round-off"},
      {"ill_conditioned", "L", "failed",
       "round-off leaves no digit of the accelerations at the initial or at the end state"},
      {"no_reference", "R", "doubtful",
       "finished, but there is no certified reference, or it ends earlier"},
      {"diverged", "D", "failed",
       "the state overflowed, or the motion left the branch or the event of the reference"},
      {"newton_failed", "N", "failed", "a Newton iteration did not converge"},
      {"integrator_failed", "F", "failed", "the integrator could not continue"},
      {"singular", "S", "failed",
       "a matrix became singular, in the integration or at a sample of the solution"},
      {"timeout", "T", "stopped", "stopped at its time limit"},
      {"out_of_memory", "M", "stopped", "stopped at its memory limit"},
      {"crashed", "C", "stopped",
       "its process was ended by a signal or an error, or left no record"},
      {"unsupported", "U", "absent", "the method does not support the problem"},
      {"skipped", "K", "absent", "not run, for the reason given"},
  };
  return outcomes;
}

const Outcome& FindOutcome(const std::string& name) {
  static const Outcome unknown{"unknown", "?", "failed",
                               "an outcome that this version does not have"};
  for (const Outcome& outcome : AllOutcomes()) {
    if (outcome.name == name) return outcome;
  }
  return unknown;
}

CellEnding EndingOf(const std::string& outcome) {
  return outcome == "ok"        ? CellEnding::kOk
         : outcome == "skipped" ? CellEnding::kSkipped
         : !IsTried(outcome)    ? CellEnding::kRefused
         : IsFinished(outcome)  ? CellEnding::kInaccurate
                                : CellEnding::kFailed;
}

bool IsTried(const std::string& outcome) { return FindOutcome(outcome).group != "absent"; }

bool IsFinished(const std::string& outcome) {
  const std::string& group = FindOutcome(outcome).group;
  return group == "good" || group == "doubtful";
}

}  // namespace mbsbench::reports
