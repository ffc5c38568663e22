#include <gtest/gtest.h>

#include "harness/integrate/integrate.h"
#include "harness/runner/method_choice.h"
#include "harness/runner/random_states.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

std::vector<double> EndState(const MethodChoice& method, const Problem& problem,
                             bool with_samples) {
  const auto formulation = method.entry->prepare(problem.system, method.options);
  Sampling sampling;
  if (with_samples) {
    sampling.times = problem.sample_times;
    sampling.sink = [&](double t, std::span<const double> y, double) {
      Observation observation;
      formulation->Observe(t, y, Detail::kMotion, observation);
    };
  }
  return Integrate(*formulation, InitialState(problem),
                   {.integrator = "dopri5", .end_time = problem.end_time, .tolerance = 1e-6},
                   sampling)
      .end_state;
}

// What is timed is not sampled: it has to be the same work.
TEST(EveryMethod, TakesTheSameStepsToTheLastBitWithSamplesAndWithout) {
  for (const char* name : {"andrews", "bricard", "nfourbar:windows=2", "branch4", "wishbone"}) {
    const Problem problem = MakeProblem(name);
    for (const MethodEntry& entry : AllMethods()) {
      for (const MethodChoice& method : VariantsOf(entry)) {
        if (method.form() != Form::kOde || !Supports(method, problem.system, "dopri5").supported)
          continue;
        const std::vector<double> plain = EndState(method, problem, false),
                                  sampled = EndState(method, problem, true);
        EXPECT_FALSE(plain.empty());
        EXPECT_EQ(plain, sampled) << method.spec << " on " << name;
      }
    }
  }
}

}  // namespace
}  // namespace mbsbench
