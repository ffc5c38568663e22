// The changes of a comparison as lines; a comparison of two runs for programs that show it elsewhere.
#pragma once

#include <string>

#include "harness/store/comparison.h"

namespace mbsbench {

// One line each: "    steps   100 -> 120, worse (1.2 times)".
void PrintChanges(const std::vector<Change>& truth, const std::vector<Change>& work,
                  bool with_direction);

// The verdict and a table of what got worse, for a comment on a pull request.
std::string MarkdownOf(const ComparedRuns& comparison);

// JUnit's XML: one test per compared cell; what got worse is a failure, what only one run holds is skipped.
std::string JunitOf(const ComparedRuns& comparison);

}  // namespace mbsbench
