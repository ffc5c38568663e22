// Whether a trial belongs to a problem; used by all readers of the store.
#pragma once

#include "harness/store/json_field.h"

namespace mbsbench {

// If a model file is edited without a new name, trials of the former problem remain in the run.
// Takes a trial's record and the problem's document. False in older stores, which have no hashes.
template <typename Document>
bool IsOfAnotherProblem(const Document& trial, const Document& problem) {
  const Document &of_trial = Field(trial, "problem_hash"),
                 &of_problem = Field(problem, "problem_hash");
  return of_trial.is_string() && of_problem.is_string() && of_trial != of_problem;
}

}  // namespace mbsbench
