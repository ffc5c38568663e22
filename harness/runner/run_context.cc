#include "harness/runner/run_context.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/runner/guarded_method.h"
#include "harness/runner/timing_core.h"

namespace mbsbench {

namespace {

constexpr std::size_t kSideBySide = 2;  // at most the number of cores

}  // namespace

JudgedCell JudgedCellFrom(const TrialRow& accuracy) {
  JudgedCell judged;
  judged.outcome = accuracy.outcome;
  judged.end_state_hash = accuracy.record.EndStateHash();
  judged.process_seconds = accuracy.record.process_seconds.value_or(0);
  judged.recorded_cpu_seconds = accuracy.record.recorded_cpu_seconds.value_or(0);
  judged.expected_seconds = accuracy.record.expected_seconds;
  judged.error = accuracy.record.LargestError();
  judged.digits_left = OrNone(accuracy.record.condition).digits_left;
  return judged;
}

std::optional<double> JudgedCell::whole_seconds() const {
  if (expected_seconds) return expected_seconds;
  if (finished() || outcome == Name(Outcome::kTimeout)) return process_seconds;
  return std::nullopt;
}

std::size_t SideBySide() {
  return std::min<std::size_t>(kSideBySide, UsableCores().size());
}

ChildJob JobFor(const RunContext& context, std::size_t id, std::size_t problem, const Cell& cell,
                TrialKind kind) {
  ChildJob job;
  job.id = id;
  job.request.cell = cell;
  job.request.kind = Name(kind);
  job.limits = context.options.limits;
  job.code_of = CodeOf(*context.plan[problem].MethodOf(cell.method));
  return job;
}

}  // namespace mbsbench
