// Which runs of a store may have their times compared: those of one machine and one build. Hosts of one kind count as one
// machine if the control kernel runs equally fast on them (harness/comparison/same_machine.h).
#pragma once

#include <map>
#include <string>

#include "reports/analysis/results.h"

namespace mbsbench {
struct ShardRow;
}

namespace mbsbench::reports {

struct RunBench {
  std::string kind;   // processor, cores, build: results of one kind are the same to the last bit
  std::string times;  // the same and one speed: times may be compared
};

// The benches of all runs, by the id of the run.
std::map<std::string, RunBench> BenchesOf(const Results& results);

// The names of the hosts of a run, "n1, n2"; empty if the store does not record them.
std::string HostsOf(const Run& run);
// "16 shards", "10 of 16 shards"; empty of a run that is no shard.
std::string ShardsOf(const Run& run);
// Its command. That of joined shards lacks `--shard`: their number follows as a comment.
std::string CommandOf(const Run& run);
// The number of cores, "8"; empty if it is not recorded.
std::string CoresOf(const MachineRecord& machine);

// Joins the runs that are shards of one plan on one bench into one run with the trials of all. It starts with the first shard
// and has finished when every shard has. Problems are put in the order of the plan.
void JoinShards(const Store& store, Results& results);

}  // namespace mbsbench::reports
