// Which method solves which problem, and why not where it does not.
#pragma once

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

SupportMatrix SupportMatrixOf(const std::vector<MethodEntry>& methods);

// [{"problem", "family", "solved_by": [variant], "refused_by": {variant: reason}}]
Json ToJson(const SupportMatrix& matrix);

// One row per family, by its smallest instance, and one column per method; lines of at most 120
// characters. What the words of the cells mean stands below.
std::string ToText(const SupportMatrix& matrix);

}  // namespace mbsbench
