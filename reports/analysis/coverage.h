// The progress of the runs of a store. The report of an unfinished run states it first.
#pragma once

#include <string>
#include <vector>

#include "reports/analysis/cells.h"

namespace mbsbench::reports {

// One for each run shown that is unfinished: what it covered, what was not run, and the command that continues it.
std::vector<std::string> DescribeUnfinishedRuns(const Comparison& comparison);

// The command that continues an unfinished run; of a single shard with its `--shard`.
std::string CommandToContinue(const Run& run);

// A few words for the head of every page: "unfinished: 14 % of the cells, 6 % of the trials". Empty if all runs have finished.
std::string UnfinishedInShort(const Comparison& comparison);

}  // namespace mbsbench::reports
