// Which method solves which problem, and the reason for each refusal.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "harness/runner/cells/method_choice.h"
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

// `enough`: a family ends after its first instance with at least so many bodies, to save the time of larger ones.
SupportMatrix SupportMatrixOf(const std::vector<MethodEntry>& methods,
                              std::size_t enough = std::numeric_limits<std::size_t>::max());

// [{"problem", "family", "solved_by": [variant], "refused_by": {variant: reason}}]
Json ToJson(const SupportMatrix& matrix);

// `enough` of the marks.
inline constexpr std::size_t kEnoughBodies = 5000;
// Per family of problems one mark for each method: 'x' if all its variants solve all instances, '.' if none solves any,
// else 'o'.
std::map<std::string, std::string> MarksOf(const SupportMatrix& matrix);

}  // namespace mbsbench
