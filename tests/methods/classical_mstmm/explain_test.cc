// The deduced structure as text.
#include <gmock/gmock.h>

#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_loops.h"
#include "tests/methods/classical_mstmm/trees.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

std::string Explain(const System& system, const char* variant) {
  return ClassicalMstmmEntry().explain(system, {variant});
}

// Eqs 53 and 54 of Rui et al. 2020 for the demonstration example.
TEST(ClassicalExplain, PrintsTheDeducedEquationsOfTheDemonstrationExample) {
  const std::string text = Explain(MakeProblem("branch4").system, "paper");
  EXPECT_THAT(text, HasSubstr("tips           z_{1,0}, z_{3,0}"));
  EXPECT_THAT(text, HasSubstr("main chain     0 -> 1 -> hinge_8_1 -> 7 -> ceiling -> 0"));
  EXPECT_THAT(text, HasSubstr("branch         0 -> 3 -> hinge_4 -> 5 -> hinge_8_5 -> I_2 of 7"));
  EXPECT_THAT(text, HasSubstr("T_{1-7} = U_{7},I1-IL ^U_{hinge_8_1},I1 U_{1}"));
  EXPECT_THAT(text, HasSubstr("T_{3-7} = U_{7},I1-IL ^U_{hinge_8_5},I2 U_{5} U_{hinge_4} U_{3}"));
  EXPECT_THAT(text, HasSubstr("geometric equations   1"));
  EXPECT_THAT(text, HasSubstr("= H_{I2} (U_{5} U_{hinge_4} U_{3} z_{3,0})"));
  EXPECT_THAT(text, HasSubstr("overall matrix        18 x 18"));
}

TEST(ClassicalExplain, AbbreviatesLongChainsAndNamesCutJoints) {
  EXPECT_THAT(Explain(MakeProblem("branchN:bodies=500").system, "general"), HasSubstr("more]... "));
  RandomLoopOptions options;
  options.tree.bodies = 8;
  options.loop_types = {JointType::kBall};
  const RandomTree loops = MakeRandomLoops(3, options);
  const std::string text = Explain(loops.system, "general");
  EXPECT_THAT(text, HasSubstr("supplement equations  1\n  cut joint 'loop_0' (ball)"));
  EXPECT_THAT(text, HasSubstr("new boundary   of cut joint 'loop_0'"));
  EXPECT_THAT(text, HasSubstr("3 supplement"));
}

}  // namespace
}  // namespace mbsbench
