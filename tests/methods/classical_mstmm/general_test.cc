// classical-mstmm:general against the 113-bit reference formulation.
#include "problems/catalog/catalog.h"
#include "tests/methods/classical_mstmm/trees.h"

namespace mbsbench {
namespace {

TEST(ClassicalGeneral, AgreesWithTheReferenceOnRandomTreesWithPathsUpToTenBodies) {
  double worst = 0;
  int trees = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    RandomTreeOptions options;
    options.bodies = 1 + static_cast<int>((seed * 7) % 40);
    const RandomTree tree = MakeRandomTree(seed, options);
    if (LongestPath(tree.system) > 10) continue;
    const Distance d = DistanceToReference(tree.system, tree.state, {"general"});
    EXPECT_LT(d.largest(), 1e-9) << "seed " << seed << ", " << options.bodies << " bodies "<<d.acceleration<<" "<<d.reaction;
    worst = std::max(worst, d.largest());
    ++trees;
  }
  std::printf("  %d trees, worst %.1e\n", trees, worst);
  EXPECT_GE(trees, 50);
}

}  // namespace
}  // namespace mbsbench
