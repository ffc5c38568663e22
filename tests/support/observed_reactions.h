// What all variants of our methods that take a system observe at a state.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/model/problem.h"

namespace mbsbench {

// Calls see(choice, observation) for each with reactions; one that fails is a failure of the test.
template <class See>
void ForReactionsOfEveryVariant(const System& system, const SystemState& state, const See& see) {
  for (const MethodEntry& entry : AllMethods()) {
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (!VerdictOf(entry, system, choice.options).supported) continue;
      SCOPED_TRACE(choice.spec);
      const auto formulation = Prepare(choice, system);
      std::vector<double> y(formulation->state_size());
      Observation observation;
      Status status = formulation->Initialise(0, state, y);
      if (status.ok()) status = formulation->Observe(0, y, Detail::kReactions, observation);
      EXPECT_TRUE(status.ok()) << status.what << ", joint " << status.joint;
      if (status.ok()) see(choice, observation);
    }
  }
}

}  // namespace mbsbench
