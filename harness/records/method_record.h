// A method with its options, as the store describes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/number.h"

namespace mbsbench {

// A promise that a method declares not to keep, or to keep only within its own bound.
struct LimitRecord {
  std::vector<std::string> promises = {};
  MaybeNumber bound = {};  // empty: nothing is kept
  std::string reason = {};
  std::string with = {};     // the variant or integrator that the limit applies to
  MaybeNumber seconds = {};  // the promises are kept, but take this much CPU time

  MBSBENCH_FIELDS(promises, bound, reason, with, (IfAny, seconds))
};

struct MethodRecord {
  std::string spec = {}, key = {};
  std::vector<std::string> options = {};
  std::string title = {}, source = {}, description = {};
  std::string form = {};  // "ode", "dae", "algebraic", "time stepper"
  MaybeNumber cost_exponent = {};
  std::string origin = {};  // "ours", "engine", "plug-in"
  std::vector<LimitRecord> limits = {};
  std::string own_integrator = {};
  std::optional<int> own_order = {};  // of its fixed steps
  // How it chooses the values of reactions that are not unique: "dropped-rows"
  std::string reaction_choice = {};

  MBSBENCH_FIELDS(spec, key, options, title, source, description, form, cost_exponent,
                  (IfAny, origin), limits, (TextOrNull, own_integrator), (IfAny, own_order),
                  (IfAny, reaction_choice))
};

}  // namespace mbsbench
