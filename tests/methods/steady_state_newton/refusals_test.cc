// Refusals of the method, with their reasons.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/support/support.h"
#include "methods/steady_state_newton/steady_state_newton.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

// "" if it supports the system.
std::string Refusal(const System& system) {
  const Verdict verdict = VerdictOf(SteadyStateNewtonEntry(), system, {});
  EXPECT_EQ(verdict.supported, verdict.reason.empty());
  return verdict.reason;
}

System Swing() { return MakeProblem("swing").system; }

TEST(SteadyStateNewton, SupportsADrivenSystem) { EXPECT_EQ(Refusal(Swing()), ""); }

TEST(SteadyStateNewton, RefusesASystemWithoutADriver) {
  System system = Swing();
  system.drivers.clear();
  EXPECT_THAT(Refusal(system), HasSubstr("no joint of this one is driven"));
}

TEST(SteadyStateNewton, RefusesAUniversalCutJointByName) {
  System system = Swing();
  Joint ball;  // a supported type
  ball.name = "harmless ball";
  ball.child = 2;
  Joint cross = ball;
  cross.name = "cross of the shaft";
  cross.type = JointType::kUniversal;
  system.loop_joints = {ball, cross};
  const std::string refusal = Refusal(system);
  EXPECT_THAT(refusal, HasSubstr("'cross of the shaft'"));
  EXPECT_THAT(refusal, HasSubstr("universal"));
}

TEST(SteadyStateNewton, RefusesLoopsThatAreCoarserThanItsRank) {
  Problem rounded = MakeProblem("governor");
  ASSERT_FALSE(rounded.system.loop_joints.empty());
  rounded.system.loop_precision = 1e-8;
  EXPECT_EQ(Refusal(rounded.system), "");
  rounded.system.loop_precision = 1e-6;
  EXPECT_THAT(Refusal(rounded.system), HasSubstr("closes to a coarser precision (loop_precision)"));
}

TEST(SteadyStateNewton, RefusesAGroundSpringByName) {
  System system = Swing();
  system.forces.Of<GroundSpring>().push_back({"tyre", 2, {}, {0, 1, 0}, 1000, 10, 0});
  const std::string refusal = Refusal(system);
  EXPECT_THAT(refusal, HasSubstr("'tyre'"));
  EXPECT_THAT(refusal, HasSubstr("ground spring"));
}

TEST(SteadyStateNewton, RefusesASystemWhoseJointsAreAllDriven) {
  System system = Swing();
  system.drivers.clear();
  for (std::size_t j = 0; j < system.joints.size(); ++j)
    system.drivers.push_back({"motor of " + system.joints[j].name, static_cast<int>(j), 1});
  EXPECT_THAT(Refusal(system), HasSubstr("every joint is driven"));
  system.drivers.pop_back();
  EXPECT_EQ(Refusal(system), "") << "one coordinate is left";
}

}  // namespace
}  // namespace mbsbench
