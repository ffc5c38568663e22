#include "harness/runner/cells/trial_record.h"

#include <fmt/format.h>

#include <cstring>

namespace mbsbench {

namespace {

// FNV-1a, 64 bits, over the bytes of the state: equal only if every bit is equal.
std::string HashOf(const std::vector<double>& state) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (double value : state) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

CountersRecord RecordOf(const WorkCounters& c) {
  return {c.steps,
          c.rejected_steps,
          c.evaluations,
          c.jacobians,
          c.newton_iterations,
          c.factorisations,
          c.error_test_failures,
          c.convergence_failures,
          c.projections,
          c.restarts,
          c.events,
          c.inner_iterations > 0 ? CountersRecord::Count(c.inner_iterations) : std::nullopt};
}

}  // namespace

TrialRecord RecordOf(const Cell& cell, const IntegrationReport& report) {
  TrialRecord record;
  record.command = SolveCommand(cell);
  record.integration = {RecordOf(report.counters),     report.changed_settings,
                        report.time_reached,           HashOf(report.end_state),
                        report.largest_error_estimate, report.break_points_inside_steps};
  return record;
}

}  // namespace mbsbench
