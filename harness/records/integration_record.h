// The part of a record that every trial with an integration has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/number.h"

namespace mbsbench {

// A solver setting that the harness changed so that the integration could continue.
struct ChangedSetting {
  std::string name = {};  // "newton_coefficient"
  double value = 0;
  double time = 0;  // when the solver failed [s]

  MBSBENCH_FIELDS(name, value, time)
};

// The work of an integration; an integrator counts what it does. `inner_iterations` are made inside evaluations.
struct CountersRecord {
  using Count = std::optional<std::int64_t>;
  Count steps = {}, rejected_steps = {}, evaluations = {}, jacobians = {}, newton_iterations = {},
        factorisations = {}, error_test_failures = {}, convergence_failures = {}, projections = {},
        restarts = {}, events = {}, inner_iterations = {};

  MBSBENCH_FIELDS_IF_ANY(steps, rejected_steps, evaluations, jacobians, newton_iterations,
                         factorisations, error_test_failures, convergence_failures, projections,
                         restarts, events, inner_iterations)
};

// A count with its name, "newton_iterations".
struct NamedCount {
  std::string name = {};
  std::optional<std::int64_t> count = {};
};
std::vector<NamedCount> CountsOf(const CountersRecord& counters);

struct IntegrationRecord {
  CountersRecord counters = {};
  std::vector<ChangedSetting> changed_settings = {};
  double time_reached = 0;                  // [s]
  std::string end_state_hash = {};          // equal only where every bit of the end state is equal
  MaybeNumber largest_error_estimate = {};  // over all steps, if the scheme estimates errors
  std::vector<double> break_points_inside_steps = {};  // of a driver's motion [s]

  MBSBENCH_FIELDS(counters, changed_settings, time_reached, end_state_hash,
                  (IfAny, largest_error_estimate), (IfAny, break_points_inside_steps))
};

}  // namespace mbsbench
