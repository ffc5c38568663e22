// What a comparison of the accelerations of all methods on one problem records, and what each of them gives for it.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/number.h"

namespace mbsbench {

// The verdict on the accelerations of the initial state, by which each cell of a method is refused or run.
struct StartRecord {
  std::string outcome = {}, reason = {};
  // How far round-off scatters them: NaN where it is infinite or not measured; `why_not` holds the reason.
  double scatter = std::numeric_limits<double>::quiet_NaN();
  std::string why_not = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("outcome", r.outcome);
    field("reason", r.reason);
    field("scatter", r.scatter);
    field("why_not", r.why_not);
  }
};

struct MethodAgreementRecord {
  std::string method = {};
  MaybeNumber difference = {}, error = {};
  std::string judged = {};  // outcome; empty in older records
  MaybeNumber condition = {};
  std::string condition_of = {};
  std::optional<int> order = {};
  std::string reason = {};
  std::optional<StartRecord> start = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("method", r.method);
    field("difference", r.difference);
    field("error", r.error);
    field("judged", r.judged);
    field("condition", r.condition);
    field("condition_of", r.condition_of);
    field("order", r.order);
    field("reason", r.reason);
    field.IfAny("start", r.start);
  }
};

struct WorstAgreement {
  std::string method = {};
  MaybeNumber difference = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("method", r.method);
    field("difference", r.difference);
  }
};

struct AgreementRecord {
  std::optional<int> states = {}, judged_states = {};
  std::string truth = {};  // "113 bits", or why there is none
  std::optional<WorstAgreement> worst = {};
  std::vector<MethodAgreementRecord> methods = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("states", r.states);
    field("judged_states", r.judged_states);
    field("truth", r.truth);
    field("worst", r.worst);
    field("methods", r.methods);
  }
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

  bool empty() const { return states.empty() && !start; }
  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("states", r.states);
    field("reasons", r.reasons);
    field("conditions", r.conditions);
    field("scatters", r.scatters);
    field("condition_of", r.condition_of);
    field("order", r.order);
    field("start", r.start);
    field("length", r.length);
    field("natural_acceleration", r.natural_acceleration);
  }
};

}  // namespace mbsbench
