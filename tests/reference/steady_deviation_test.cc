// A steady reference requires two formulations that agree. If they disagree there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "problems/catalog/catalog.h"
#include "reference/steady_state.h"

namespace mbsbench {
namespace {

constexpr double kMost = 1e-25;

TEST(SteadyReference, IsFoundWithAnEstimateFromBothFormulations) {
  for (const char* name :
       {"swing", "swing:damped", "swing:speed=40", "governor", "governor:damped",
        "governor:speed=8", "governor-rods", "spunchainN:bodies=10", "spunchainN:bodies=1000"}) {
    std::string why;
    const auto reference = FindSteadyReference(MakeProblem(name), &why);
    ASSERT_TRUE(reference) << name << ": " << why;
    EXPECT_GT(reference->error_estimate, 0) << name;
    EXPECT_LT(reference->error_estimate, kMost) << name;
    std::printf("  %-24s %.1e\n", name, reference->error_estimate);
  }
}

void ExpectNone(const Problem& problem, const std::string& what) {
  std::string why;
  EXPECT_FALSE(FindSteadyReference(problem, &why)) << problem.name << " with " << what;
  EXPECT_NE(why.find("do not describe it"), std::string::npos) << why;
  EXPECT_NE(why.find(problem.name), std::string::npos) << why;
}

// Data that the closed equations do not use, so that their solution does not change.

TEST(SteadyReference, IsAbsentForADifferentGravity) {
  for (double tilt : {1e-3, 1e-20}) {      // the second is far below the resolution of any method
    Problem swing = MakeProblem("swing");  // has none
    swing.system.gravity.y += tilt;
    ExpectNone(swing, "gravity in its plane");
    Problem chain = MakeProblem("spunchainN:bodies=10");
    chain.system.gravity.x += tilt;
    ExpectNone(chain, "gravity tilted");
  }
}

TEST(SteadyReference, IsAbsentForAMissingSpring) {
  for (const char* name : {"swing", "governor", "governor-rods", "spunchainN:bodies=10"}) {
    Problem problem = MakeProblem(name);
    JointSpringDamper spring = problem.system.forces.Of<JointSpringDamper>().back();
    spring.stiffness = 1;
    spring.free_coordinate += 1;
    problem.system.forces.Of<JointSpringDamper>().push_back(spring);
    ExpectNone(problem, "one spring more");
  }
}

// The closed equations assume equal balls. (Gravity across the spindle does no work on both together.)
TEST(SteadyReference, IsAbsentForAnAsymmetricGovernor) {
  Problem governor = MakeProblem("governor");
  governor.system.bodies[2].mass *= 1.001;
  ExpectNone(governor, "one ball heavier");
}

TEST(SteadyReference, IsAbsentForNonFiniteData) {
  Problem problem = MakeProblem("swing");
  problem.system.gravity.y = NAN;
  EXPECT_FALSE(FindSteadyReference(problem));
}

}  // namespace
}  // namespace mbsbench
