// Which method solves which problem, and why not where it does not.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "harness/runner/method_choice.h"
#include "harness/store/store.h"

namespace mbsbench {

struct SupportMatrix {
  struct Row {
    std::string problem, family;
    std::vector<Verdict> verdicts;  // one per variant
  };
  std::vector<MethodChoice> variants;  // of all methods, those of one method side by side
  std::vector<Row> rows;  // the instances of all problems, those of one family together
};

// `enough`: of a family, instances that follow one of so many bodies are left out; nobody's verdict waits for 100,000.
SupportMatrix SupportMatrixOf(const std::vector<MethodEntry>& methods,
                              std::size_t enough = std::numeric_limits<std::size_t>::max());

// [{"problem", "family", "solved_by": [variant], "refused_by": {variant: reason}}]
Json ToJson(const SupportMatrix& matrix);

// So many bodies are enough for the table.
inline constexpr std::size_t kEnoughBodies = 5000;
// One row per family, by its smallest instance, and one column per method; lines of at most 120
// characters. What the words of the cells mean stands below.
std::string ToText(const SupportMatrix& matrix);

}  // namespace mbsbench
