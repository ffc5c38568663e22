// A plan as each of its shards stores it, and the progress of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/number.h"

namespace mbsbench {

struct PlannedProblemRecord {
  std::string name = {};
  int shard = 0;
  std::int64_t items = 0;  // cells, and curves at a target

  MBSBENCH_FIELDS(name, shard, items)
};

// How much of a plan has been done.
struct Covered {
  std::int64_t planned = 0, done = 0;

  MBSBENCH_FIELDS(planned, done)
};

struct PassRecord {
  std::string title = {};
  std::int64_t planned = 0, done = 0;  // steps
  double seconds_left =
      0;  // wall time; some trials run in parallel; NaN before enough steps are over

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

// What a run has yet to complete: a curve at a target, or its ladder.
struct OpenItemRecord {
  std::string problem = {}, method = {}, integrator = {};
  MaybeNumber target = {};  // empty for a ladder
  bool lacks_cells = true;  // false: only times
  bool is_timed = true;  // false: its cells are judged for a claim or for an order, and not timed

  MBSBENCH_FIELDS(problem, method, integrator, target, lacks_cells, is_timed)
};

struct CoverageRecord {
  std::optional<Covered> families = {}, problems = {}, methods = {}, items = {};
  std::vector<PassRecord> passes = {};  // in their order
  std::vector<OpenItemRecord> open = {};
  std::vector<double> targets = {};  // the planned ones

  MBSBENCH_FIELDS(families, problems, methods, items, passes, open, targets)
};

// A plan in shards, as each shard stores it.
struct PlanRecord {
  std::vector<PlannedProblemRecord> problems = {};  // in order; includes curves that are never run
  std::optional<CoverageRecord> coverage = {};      // of this shard, once it has begun

  MBSBENCH_FIELDS(problems, coverage)
};

}  // namespace mbsbench
