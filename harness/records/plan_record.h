// A plan as each of its shards holds it, and how far a run has come with its own.
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

// In the order of the whole plan; with cells that are never run.
struct PlanRecord {
  std::vector<PlannedProblemRecord> problems = {};

  MBSBENCH_FIELDS(problems)
};

// How much of a plan has been done.
struct Covered {
  std::int64_t planned = 0, done = 0;

  MBSBENCH_FIELDS(planned, done)
};

struct PassRecord {
  std::string title = {};
  std::int64_t planned = 0, done = 0;  // trials
  double seconds_left = 0;             // wall, as trials run side by side

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
  // Problem, method and integrator of curves that lack a cell or its time, and "time" for those that lack times alone.
  std::vector<std::vector<std::string>> open = {};

  MBSBENCH_FIELDS((IfAny, families), problems, (IfAny, methods), cells, passes, open)
};

}  // namespace mbsbench
