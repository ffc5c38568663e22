// What one evaluation of a method yields.
#pragma once

#include <string_view>
#include <vector>

#include "methods/interface/method.h"

namespace mbsbench {

// The evaluated quantity. States alternate between two; a time stepper is evaluated by one step. Reactions are those of
// EvaluatesReactions.
enum class Evaluated {
  kAccelerations,
  kAccelerationsAndReactions,
  kResidual,
  kResidualAndJacobian,
  kStep
};
std::string_view Name(Evaluated what);  // as in DOCUMENTS.md
std::vector<Evaluated> EvaluationsOf(Form form);

}  // namespace mbsbench
