// A plan as each of its shards stores it, and the progress of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"

namespace mbsbench {

struct PlannedProblemRecord {
  std::string name = {};
  int shard = 0;
  std::int64_t cells = 0;

  MBSBENCH_FIELDS(name, shard, cells)
};

// How much of a plan has been done.
struct Covered {
  std::int64_t planned = 0, done = 0;

  MBSBENCH_FIELDS(planned, done)
};

struct PassRecord {
  std::string title = {};
  std::int64_t planned = 0, done = 0;  // trials
  double seconds_left = 0;             // wall time; some trials run in parallel

  MBSBENCH_FIELDS(title, planned, done, seconds_left)
};

// All passes together, without a title.
inline PassRecord SumOf(const std::vector<PassRecord>& passes) {
  PassRecord sum;
  for (const PassRecord& pass : passes) {
    sum.planned += pass.planned;
    sum.done += pass.done;
    sum.seconds_left += pass.seconds_left;
  }
  return sum;
}

struct CoverageRecord {
  std::optional<Covered> families = {}, problems = {}, methods = {}, cells = {};
  std::vector<PassRecord> passes = {};  // in their order
  // Problem, method and integrator of the curves that lack a cell or its time; a fourth entry "time" where only times are lacking.
  std::vector<std::vector<std::string>> open = {};

  MBSBENCH_FIELDS((IfAny, families), problems, (IfAny, methods), cells, passes, open)
};

// A plan in shards, as each shard stores it.
struct PlanRecord {
  std::vector<PlannedProblemRecord> problems = {};  // in order; includes cells that are never run
  std::optional<CoverageRecord> coverage = {};      // of this shard; older stores lack it

  MBSBENCH_FIELDS(problems, (IfAny, coverage))
};

}  // namespace mbsbench
