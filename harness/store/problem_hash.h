// Whether a trial belongs to a problem; used by all readers of the store.
#pragma once

#include <string>

#include "harness/store/json_field.h"

namespace mbsbench {

// Empty in older stores, which have no hashes.
template <typename Document>
std::string ProblemHash(const Document& problem) {
  const Document& hash = Field(problem, "problem_hash");
  return hash.is_string() ? hash.template get<std::string>() : "";
}

// If a model file is edited without a new name, trials of the former problem remain in the run.
inline bool IsOfAnotherProblem(const std::string& hash_of_trial, const std::string& problem_hash) {
  return !hash_of_trial.empty() && !problem_hash.empty() && hash_of_trial != problem_hash;
}

}  // namespace mbsbench
