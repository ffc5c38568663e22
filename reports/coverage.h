// How far the runs of a store have come: a report of a run that was cut says so before anything else.
#pragma once

#include <string>
#include <vector>

#include "reports/cells.h"

namespace mbsbench::reports {

// Of each run shown that has not finished: what it covered, what was not run, and the command that goes on. Nothing
// where all have.
std::vector<std::string> DescribeUnfinishedRuns(const Comparison& comparison);

// The same in a few words for the head of every page: "unfinished: 812 of 5,512 cells". Empty where all runs have
// finished.
std::string UnfinishedInShort(const Comparison& comparison);

}  // namespace mbsbench::reports
