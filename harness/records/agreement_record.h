// What a comparison of the accelerations of all methods on one problem records, and what each of them gives for it.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/number.h"

namespace mbsbench {

// The verdict on the accelerations of the initial state, by which each cell of a method is refused or run.
struct StartRecord {
  std::string outcome = {}, reason = {};
  // How far round-off scatters them: NaN where it is infinite or not measured; `why_not` holds the reason.
  double scatter = std::numeric_limits<double>::quiet_NaN();
  std::string why_not = {};

  MBSBENCH_FIELDS(outcome, reason, scatter, why_not)
};

struct MethodAgreementRecord {
  std::string method = {};
  // Median over the other methods of the largest difference over states, in units of the largest acceleration of the state;
  // empty where the method evaluated no state that another evaluated too.
  MaybeNumber difference = {};
  MaybeNumber error = {};  // largest against 113 bits over the states judged
  // The worst verdict by the truth over all states: ok, ill_conditioned or wrong_equations; no_reference where no state has a
  // truth that the method evaluates; empty in older records.
  std::string judged = {};
  std::string judged_reason = {};  // a sentence on it; not recorded
  // Largest condition number, over the same states, of what the method solves; empty where it is infinite or the method states
  // none. `condition_of` says what is solved, or why there is none.
  MaybeNumber condition = {};
  std::string condition_of = {};
  std::optional<int> order = {};  // rows of the largest matrix solved, where stated
  std::string reason = {};        // of the first state that it could not evaluate
  // At the initial state; empty where its process broke off.
  std::optional<StartRecord> start = {};

  MBSBENCH_FIELDS(method, difference, error, judged, condition, condition_of, order, reason,
                  (IfAny, start))
};

struct WorstAgreement {
  std::string method = {};
  MaybeNumber difference = {};

  MBSBENCH_FIELDS(method, difference)
};

struct AgreementRecord {
  std::optional<int> states = {};
  std::optional<int> judged_states = {};  // random ones, or the initial one where there are none
  std::string truth = {};                 // "113 bits", or why there is none
  std::optional<WorstAgreement> worst = {};
  std::vector<MethodAgreementRecord> methods = {};

  MBSBENCH_FIELDS(states, judged_states, truth, worst, methods)
};

// Accelerations by one method, or by the reference, at the initial state and at random ones: what a process that compares
// nothing yet hands over.
struct AccelerationsRecord {
  // Six numbers per body; NaN where one is not finite, empty with a reason where a state cannot be evaluated.
  std::vector<std::optional<std::vector<double>>> states = {};
  std::vector<std::string> reasons = {};
  // Per state the condition number of what the method solves, and how far round-off scatters the accelerations.
  std::vector<MaybeNumber> conditions = {}, scatters = {};
  std::string condition_of = {};  // what is solved, or why there is no condition
  int order = 0;                  // rows of the largest matrix solved
  std::optional<StartRecord> start = {};
  // Of the reference: by which differences are measured.
  double length = 1, natural_acceleration = 0;
  // Of the reference: the initial state determines no accelerations, for the first of `reasons`.
  bool start_is_undetermined = false;

  bool empty() const { return states.empty() && !start; }
  MBSBENCH_FIELDS(states, reasons, conditions, scatters, condition_of, order, start, length,
                  natural_acceleration, start_is_undetermined)
};

}  // namespace mbsbench
