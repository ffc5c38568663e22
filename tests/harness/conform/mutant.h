// The term of a copied source that is spoiled: the row of mutants.tsv that the environment names; 0: none.
#pragma once

#include <cstdlib>

namespace mbsbench {

inline const int spoiled_row = [] {
  const char* const row = std::getenv("MBSBENCH_TEST_MUTANT");
  return row == nullptr ? 0 : std::atoi(row);
}();

}  // namespace mbsbench
