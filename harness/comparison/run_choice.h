// The run that the user selects: FILE (its latest run), FILE:RUN_ID, or RUN_ID of a store given separately.
#pragma once

#include <string>

#include "harness/store/store.h"

namespace mbsbench {

struct ChosenRun {
  std::filesystem::path store;
  RunRow run;
};

// `store` may be empty; a run is identified by the beginning of its id. Throws StoreError.
ChosenRun ChooseRun(const std::string& argument, const std::string& store);

}  // namespace mbsbench
