// What every trial with an integration records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/number.h"

namespace mbsbench {

// A setting of a solver that the harness changed to get on.
struct ChangedSetting {
  std::string name = {};  // "newton_coefficient"
  double value = 0;
  double time = 0;  // at which the solver had failed [s]

  MBSBENCH_FIELDS(name, value, time)
};

// The work of an integration; older records do not count everything.
struct CountersRecord {
  using Count = std::optional<std::int64_t>;
  Count steps = {}, rejected_steps = {}, evaluations = {}, jacobians = {}, newton_iterations = {},
        factorisations = {}, error_test_failures = {}, convergence_failures = {}, projections = {},
        restarts = {}, events = {};

  MBSBENCH_FIELDS_IF_ANY(steps, rejected_steps, evaluations, jacobians, newton_iterations,
                         factorisations, error_test_failures, convergence_failures, projections,
                         restarts, events)
};

// By what is counted: "newton_iterations".
struct NamedCount {
  std::string name = {};
  std::optional<std::int64_t> count = {};
};
std::vector<NamedCount> CountsOf(const CountersRecord& counters);

struct IntegrationRecord {
  CountersRecord counters = {};
  std::vector<ChangedSetting> changed_settings = {};
  double time_reached = 0;                  // [s]
  std::string end_state_hash = {};          // equal only where every bit of the end state is
  MaybeNumber largest_error_estimate = {};  // of a step, where the scheme estimates any
  std::vector<double> break_points_inside_steps = {};  // of a driver's motion [s]

  MBSBENCH_FIELDS(counters, changed_settings, time_reached, end_state_hash,
                  (IfAny, largest_error_estimate), (IfAny, break_points_inside_steps))
};

}  // namespace mbsbench
