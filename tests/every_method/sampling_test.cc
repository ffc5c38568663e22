#include <gtest/gtest.h>

#include <algorithm>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/runner/cells/random_states.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

std::vector<double> EndState(Formulation& formulation, const Problem& problem,
                             IntegrationSettings settings, bool with_samples) {
  Sampling sampling;
  if (with_samples) {
    sampling.times = problem.sample_times;
    sampling.sink = [&](double t, std::span<const double> y, double) {
      Observation observation;
      formulation.Observe(t, y, Detail::kReactions, observation);
    };
    sampling.integrate_power = true;
  }
  return Integrate(formulation, InitialState(problem), settings, sampling).end_state;
}

// A timed integration is not sampled, and a round repeats it with the same formulation. All must do the same
// work.
void ExpectTheSameSteps(Form form, IntegrationSettings settings,
                        std::initializer_list<const char*> problems) {
  for (const char* name : problems) {
    const Problem problem = MakeProblem(name);
    settings.end_time = std::min(settings.end_time, problem.end_time);
    for (const MethodEntry& entry : AllMethods()) {
      for (const MethodChoice& method : VariantsOf(entry)) {
        if (method.form() != form ||
            !Supports(method, problem.system, settings.integrator).supported)
          continue;
        const auto make = [&] { return Prepare(method, problem); };
        const std::vector<double> plain = EndState(*make(), problem, settings, false);
        const std::unique_ptr<Formulation> sampled = make();
        EXPECT_FALSE(plain.empty());
        EXPECT_EQ(plain, EndState(*sampled, problem, settings, true))
            << method.spec << " on " << name << ", sampled";
        EXPECT_EQ(plain, EndState(*sampled, problem, settings, false))
            << method.spec << " on " << name << ", repeated";
      }
    }
  }
}

TEST(EveryMethod, TakesBitwiseIdenticalStepsWithAndWithoutSamplesAndWhenRepeated) {
  ExpectTheSameSteps(Form::kOde, {.integrator = "dopri5", .end_time = 1e9, .tolerance = 1e-6},
                     {"andrews", "bricard", "nfourbar:windows=2", "branch4", "wishbone"});
}

// A thousand steps only: the equations of index 3 would take tens of thousands to the end.
TEST(EveryMethod, WithADaeTakesBitwiseIdenticalStepsWithAndWithoutSamplesAndWhenRepeated) {
  ExpectTheSameSteps(Form::kDae,
                     {.integrator = "ida", .end_time = 0.3, .tolerance = 1e-6, .step_limit = 1000},
                     {"fourbar", "bricard", "nfourbar:windows=2", "branch4", "flyball"});
}

}  // namespace
}  // namespace mbsbench
