// Which problem a trial is of, for all who read the store.
#pragma once

#include "harness/store/json_field.h"

namespace mbsbench {

// A model file that was edited under its own name leaves trials of the former problem in the run; of a
// trial's record and the problem's document. Stores from before hashes were recorded do not say so.
template <typename Document>
bool IsOfAnotherProblem(const Document& trial, const Document& problem) {
  const Document &of_trial = Field(trial, "problem_hash"),
                 &of_problem = Field(problem, "problem_hash");
  return of_trial.is_string() && of_problem.is_string() && of_trial != of_problem;
}

}  // namespace mbsbench
