// The second series of reactions, by the multipliers that the steps of a method compute, compared with the certified reference: it is
// off by the order that theory states for the scheme, which is lower than that of the motion where the multipliers belong to another
// time than the end of the step.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "harness/conform/tried_systems.h"
#include "harness/runner/cells/random_states.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "reference/reference.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

struct ByMultipliers {
  const char* method;
  int order;
};
// The last stages of half-explicit methods lie at the end of the step, but that of the midpoint rule. The multipliers of energy-momentum
// are averages over a step, and the projections of ali3p add impulses to its own.
constexpr ByMultipliers kByMultipliers[] = {{"lie-generalised-alpha:index2", 2},
                                            {"lie-generalised-alpha:index3", 2},
                                            {"index3-direct:hht", 2},
                                            {"index3-direct:i3", 2},
                                            {"index3-direct:si2", 2},
                                            {"half-explicit:order=2", 1},
                                            {"half-explicit:order=3", 2},
                                            {"half-explicit:order=4", 2},
                                            {"natural-coordinates:ali3p", 1},
                                            {"natural-coordinates:energy-momentum", 1}};
void PrintTo(const ByMultipliers& one, std::ostream* out) { *out << one.method; }

// A ball joint with a fast spin, a driven joint, and a loop.
struct JudgedUntil {
  const char* problem;
  double end, step;
};
constexpr JudgedUntil kJudgedUntil[] = {
    {"heavytop", 0.1, 1e-4}, {"kapitza", 0.1, 1e-4}, {"slidercrank3d", 0.5, 5e-4}};

Accuracy WithBothSeries(const JudgedUntil& until, const char* method, double step) {
  Problem problem = MakeProblem(until.problem);
  problem.end_time = until.end;
  problem.sample_times = {0, until.end};
  const std::optional<Reference> reference = FindReference(problem);
  IntegrationSettings settings;
  settings.integrator = "own", settings.step = step;
  const JudgedMotion motion =
      JudgeMotion(problem, reference ? &*reference : nullptr, InitialState(problem),
                  ChooseMethod(method, AllMethods()), settings);
  EXPECT_TRUE(motion.report.ok()) << motion.report.reason;
  EXPECT_TRUE(motion.accuracy.error) << until.problem;
  return motion.accuracy;
}

class AlgorithmicReactions : public testing::TestWithParam<ByMultipliers> {};
INSTANTIATE_TEST_SUITE_P(EveryMethod, AlgorithmicReactions, testing::ValuesIn(kByMultipliers),
                         NameOfParameter);

TEST_P(AlgorithmicReactions, ConvergeWithTheirOrder) {
  const auto& [method, order] = GetParam();
  for (const JudgedUntil& until : kJudgedUntil) {
    const ErrorMeasure coarse = *WithBothSeries(until, method, until.step).error,
                       fine = *WithBothSeries(until, method, until.step / 2).error;
    ASSERT_TRUE(coarse.algorithmic_reactions_max && fine.algorithmic_reactions_max);
    const double observed =
        std::log2(*coarse.algorithmic_reactions_max / *fine.algorithmic_reactions_max);
    std::printf("  %s: %.2e, %.2e, order %.2f; reactions %.2e\n", until.problem,
                *coarse.algorithmic_reactions_max, *fine.algorithmic_reactions_max, observed,
                *fine.reactions_max);
    EXPECT_LT(*coarse.algorithmic_reactions_max, 0.2) << until.problem;  // 2 with a wrong sign
    EXPECT_NEAR(observed, order, 0.25) << until.problem;
    if (order == 1) {
      EXPECT_GT(*fine.algorithmic_reactions_max, 2 * *fine.reactions_max) << until.problem;
    }
  }
}

TEST(AlgorithmicReactionsOfMethods, AreMissingWhereThereAreNoMultipliersOfSteps) {
  const JudgedUntil until = kJudgedUntil[0];
  for (const char* method : {"variational", "natural-coordinates:null-space"}) {
    const ErrorMeasure error = *WithBothSeries(until, method, until.step).error;
    EXPECT_TRUE(error.reactions_max) << method;
    EXPECT_FALSE(error.algorithmic_reactions_max) << method;
  }
}

}  // namespace
}  // namespace mbsbench
