// The run that the user selects by FILE (its latest run), by FILE:RUN_ID, or by RUN_ID with the store given separately.
#pragma once

#include <string>

#include "harness/comparison/comparison.h"

namespace mbsbench {

// `argument` is one of these, `store` the store given separately or empty; a run is identified by the beginning of its id. Throws
// StoreError.
ChosenRun ChooseRun(const std::string& argument, const std::string& store);

}  // namespace mbsbench
