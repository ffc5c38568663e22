// classical-mstmm on closed loops: supplement equations, against the 113-bit reference formulation.
#include "tests/methods/classical_mstmm/trees.h"
#include "tests/support/random_loops.h"

namespace mbsbench {
namespace {

TEST(ClassicalLoops, GeneralAgreesWithTheReferenceOnRandomSystemsOfOneToThreeLoops) {
  double worst = 0;
  int systems = 0;
  for (int k = 0; k < 50; ++k) {
    RandomLoopOptions options;
    options.loops = 1 + k % 3;
    options.tree.bodies = 4 + (k * 7) % 37;
    const RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(5000 + k), options);
    if (LongestPath(random.system) > 10) continue;
    const Distance d = DistanceToReference(random.system, random.state, {"general"});
    EXPECT_LT(d.largest(), 1e-9) << "system " << k << ", " << options.tree.bodies << " bodies";
    worst = std::max(worst, d.largest());
    ++systems;
  }
  std::printf("  %d systems, worst %.1e\n", systems, worst);
  EXPECT_GE(systems, 25);
}

// Ball hinges with transfer matrices, cut ball joints and distances.
TEST(ClassicalLoops, PaperAgreesWithTheReferenceOnBallJointedLoops) {
  double worst = 0;
  int systems = 0;
  for (int k = 0; k < 30; ++k) {
    RandomLoopOptions options;
    options.loops = 1 + k % 2;
    options.tree.bodies = 4 + k % 9;
    options.tree.types = {JointType::kBall};
    const RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(6000 + k), options);
    if (LongestPath(random.system) > 8) continue;
    ASSERT_TRUE(ClassicalMstmmEntry().supports(random.system, {"paper"}).supported);
    const Distance d = DistanceToReference(random.system, random.state, {"paper"});
    EXPECT_LT(d.largest(), 1e-9) << "system " << k << ", " << options.tree.bodies << " bodies";
    worst = std::max(worst, d.largest());
    ++systems;
  }
  std::printf("  %d systems, worst %.1e\n", systems, worst);
  EXPECT_GE(systems, 20);
}

}  // namespace
}  // namespace mbsbench
