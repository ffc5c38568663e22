// A comparison of two runs for programs that show it elsewhere.
#pragma once

#include <string>

#include "harness/store/comparison.h"

namespace mbsbench {

// "WORSE: 2 of 378 cells ..." or "Nothing got worse: ...", with all counts; one line.
std::string VerdictOf(const Comparison& comparison);

// The verdict and a table of what got worse, for a comment on a pull request.
std::string MarkdownOf(const Comparison& comparison);

// JUnit's XML: one test per compared cell; what got worse is a failure, what only one run holds is skipped.
std::string JunitOf(const Comparison& comparison);

}  // namespace mbsbench
