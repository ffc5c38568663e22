// Formats of a comparison: changes as lines of text, Markdown, and JUnit's XML.
#pragma once

#include <string>

#include "harness/comparison/comparison.h"

namespace mbsbench {

// One line each: "    steps   100 -> 120, worse (1.2 times)".
void PrintChanges(const std::vector<Change>& truth, const std::vector<Change>& work,
                  bool with_direction);

// "WORSE: 2 of 378 cells ..." or "Nothing got worse: ...", with all counts; one line.
std::string VerdictOf(const ComparedRuns& comparison);

// The verdict and a table of what got worse, for a comment on a pull request.
std::string MarkdownOf(const ComparedRuns& comparison);

// JUnit's XML: one test per compared cell. A worse cell is a failure; a cell that only one run has is skipped.
std::string JunitOf(const ComparedRuns& comparison);

}  // namespace mbsbench
