#include "methods/interface/solved_condition.h"

#include <limits>

namespace mbsbench {

SolvedCondition ConditionAt(Formulation& formulation, double t, std::span<const double> y) {
  auto* const states = dynamic_cast<StatesCondition*>(&formulation);
  if (states != nullptr) return states->ConditionAt(t, y);
  return {std::numeric_limits<double>::quiet_NaN(),
          "this method does not state the condition of what it solves", 0};
}

}  // namespace mbsbench
